#include "kernels/dry/dry.h"

#include <algorithm>

namespace anneal {

void DryBackend::run_op(int op, const void* args, Stream) {
  operations_ += operations_of(op, args);
  scratch_bytes_ = std::max(scratch_bytes_, target_.scratch_bytes(op, args));
}

}  // namespace anneal
