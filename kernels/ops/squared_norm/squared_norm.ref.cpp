#include "kernels/reference/elements.h"
#include "kernels/reference/reference.h"

namespace anneal::reference {

void run(const SquaredNorm::Forward& args) {
  double sum = get(args.result, 0);
  for (int64_t i = 0; i < args.x.rows(); ++i) {
    for (int64_t j = 0; j < args.x.columns(); ++j) sum += get(args.x, i, j) * get(args.x, i, j);
  }
  put(args.result, 0, sum);
}

}  // namespace anneal::reference
