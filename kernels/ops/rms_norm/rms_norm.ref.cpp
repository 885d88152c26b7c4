#include "kernels/reference/elements.h"
#include "kernels/reference/reference.h"

namespace anneal::reference {

void run(const RmsNorm::Forward& args) {
  ensure(args.sum.exists() || !args.pending.exists(), "rms_norm adds a pending tensor but has no place for the sum");
  const int64_t columns = args.x.columns();
  // What is normed is the sum as it is kept, so that norming it again gives the same bits.
  const Tensor& normed = args.sum.exists() ? args.sum : args.x;
  for (int64_t i = 0; i < args.x.rows(); ++i) {
    double squares = 0;
    for (int64_t j = 0; j < columns; ++j) {
      if (args.sum.exists()) {
        put(args.sum, i, j, get(args.x, i, j) + (args.pending.exists() ? get(args.pending, i, j) : 0.0));
      }
      const double value = get(normed, i, j);
      squares += value * value;
    }
    const double inv_rms = 1.0 / std::sqrt(squares / static_cast<double>(columns) + args.epsilon);
    put(args.inv_rms, i, inv_rms);
    for (int64_t j = 0; j < columns; ++j) {
      put(args.y, i, j, get(normed, i, j) * inv_rms * (get(args.weight, j) + args.weight_offset));
    }
  }
}

void run(const RmsNorm::Backward& args) {
  const int64_t columns = args.x.columns();
  std::vector<double> dweight(static_cast<std::size_t>(columns));
  std::vector<double> scaled(static_cast<std::size_t>(columns));  // g
  for (int64_t i = 0; i < args.x.rows(); ++i) {
    const double inv_rms = get(args.inv_rms, i);
    double dot = 0;
    for (int64_t j = 0; j < columns; ++j) {
      const auto at = static_cast<std::size_t>(j);
      scaled[at] = get(args.dy, i, j) * (get(args.weight, j) + args.weight_offset);
      dot += scaled[at] * get(args.x, i, j);
      dweight[at] += get(args.dy, i, j) * get(args.x, i, j) * inv_rms;
    }
    const double mean = dot * inv_rms * inv_rms / static_cast<double>(columns);
    for (int64_t j = 0; j < columns; ++j) {
      const double dx = inv_rms * (scaled[static_cast<std::size_t>(j)] - get(args.x, i, j) * mean);
      put(args.dx, i, j, dx + (args.accumulate ? get(args.dx, i, j) : 0.0));
    }
  }
  if (!args.dweight.exists()) return;
  for (int64_t j = 0; j < columns; ++j) put(args.dweight, j, dweight[static_cast<std::size_t>(j)]);
}

}  // namespace anneal::reference
