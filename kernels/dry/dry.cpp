#include "kernels/dry/dry.h"

#include <algorithm>

namespace anneal {

void DryBackend::run_op(int op, const void* args, Stream) {
  using Entry = double (*)(const void*);
#define ANNEAL_ENTRY(Args, gradient) [](const void* a) { return static_cast<const Args*>(a)->operations(); },
  static constexpr Entry kTable[] = {ANNEAL_FOR_EACH_OP(ANNEAL_ENTRY)};
#undef ANNEAL_ENTRY
  operations_ += kTable[op](args);
  scratch_bytes_ = std::max(scratch_bytes_, target_.scratch_bytes(op, args));
}

}  // namespace anneal
