#include <cstring>

#include "kernels/reference/reference.h"

namespace anneal::reference {

void run(const Fill::Forward& args) {
  ensure(args.x.is_contiguous(), "fill clears contiguous tensors only");
  if (args.x.bytes() > 0) std::memset(args.x.data(), 0, static_cast<std::size_t>(args.x.bytes()));
}

}  // namespace anneal::reference
