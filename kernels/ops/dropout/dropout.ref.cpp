#include "kernels/core/philox.h"
#include "kernels/reference/elements.h"
#include "kernels/reference/reference.h"

namespace anneal::reference {

void run(const Dropout::Forward& args) {
  const double threshold = args.probability * 0x1p32;
  for (int64_t i = 0; i < args.x.rows(); ++i) {
    const auto place = static_cast<uint64_t>(args.places.as<int64_t>()[i]);
    for (int64_t j = 0; j < args.x.columns(); ++j) {
      const auto words = philox4x32(
          {static_cast<uint32_t>(place), static_cast<uint32_t>(place >> 32), static_cast<uint32_t>(j / 4), 0},
          args.key);
      const bool keep = static_cast<double>(words[static_cast<std::size_t>(j % 4)]) >= threshold;
      const double value = keep ? get(args.x, i, j) / (1.0 - args.probability) : 0.0;
      put(args.y, i, j, value + (args.accumulate ? get(args.y, i, j) : 0.0));
    }
  }
}

}  // namespace anneal::reference
