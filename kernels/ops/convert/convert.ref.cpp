#include "kernels/reference/elements.h"
#include "kernels/reference/reference.h"

namespace anneal::reference {

void run(const Convert::Forward& args) {
  for (int64_t i = 0; i < args.in.rows(); ++i) {
    for (int64_t j = 0; j < args.in.columns(); ++j) {
      const double value = args.scale * get(args.in, i, j);
      put(args.out, i, j, args.round_to_bf16 ? widened(rounded_to<BFloat16>(value)) : value);
    }
  }
}

}  // namespace anneal::reference
