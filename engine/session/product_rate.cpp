#include "engine/session/product_rate.h"

#include <chrono>

namespace anneal::engine {

double measure_product_rate(Backend& backend) {
  constexpr int64_t kInputs = 768;
  constexpr int64_t kOutputs = 768;
  const int64_t rows = backend.part_rows();
  const int64_t parts = 2 * backend.threads();
  Arena dry;
  const auto cut = [&](Arena& arena) {
    return std::array<Tensor, 3>{arena.take("x", DType::kF32, {parts * rows, kInputs}),
                                 arena.take("w", DType::kF32, {kOutputs, kInputs}),
                                 arena.take("y", DType::kF32, {parts * rows, kOutputs})};
  };
  const auto args = [&](const std::array<Tensor, 3>& t, int64_t part) {
    return Linear::Forward{.y = t[2].slice_rows(part * rows, (part + 1) * rows),
                           .x = t[0].slice_rows(part * rows, (part + 1) * rows),
                           .weight = {.plain = t[1], .outputs = kOutputs, .inputs = kInputs}};
  };
  const auto sizes = cut(dry);
  const Linear::Forward one = args(sizes, 0);
  const int64_t scratch_bytes = backend.scratch_bytes(kOpIndex<Linear::Forward>, &one);
  Arena arena(dry.used() + (scratch_bytes + Arena::kAlignment) * backend.threads());
  const auto tensors = cut(arena);
  // Ones: zeros would be no work on a machine that is clever about them.
  for (const Tensor& tensor : {tensors[0], tensors[1]}) std::fill_n(tensor.as<float>(), tensor.elements(), 1.0f);
  if (scratch_bytes > 0) backend.use_scratch(arena.take("scratch", DType::kU8, {backend.threads(), scratch_bytes}));
  const auto all_parts = [&] {
    backend.for_each_part(parts, [&](int64_t part, Stream stream) { backend.run(args(tensors, part), stream); });
  };
  all_parts();  // warm
  double best = 0;
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::milliseconds(100);
  do {
    const auto begin = Clock::now();
    all_parts();
    const std::chrono::duration<double> seconds = Clock::now() - begin;
    best = std::max(best, one.operations() * double(parts) / seconds.count());
  } while (Clock::now() < end);
  return best;
}

}  // namespace anneal::engine
