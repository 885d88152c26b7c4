#include "kernels/reference/elements.h"
#include "kernels/reference/reference.h"

namespace anneal::reference {

void run(const SumParts::Forward& args) {
  for (int64_t j = 0; j < args.out.rows(); ++j) {
    double sum = args.accumulate ? get(args.out, j) : 0.0;
    for (int64_t part = 0; part < args.parts.rows(); ++part) sum += get(args.parts, part, j);
    put(args.out, j, sum);
  }
}

}  // namespace anneal::reference
