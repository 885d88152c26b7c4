#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/ops/squared_norm/squared_norm.cpu.cpp"
#include "kernels/cpu/targets.h"
// what follows is compiled for each instruction set
#include "kernels/cpu/split.h"
#include "kernels/cpu/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace anneal::cpu::HWY_NAMESPACE {

// Σ x² over a short range, in double.
double squared_norm_of(const float* x, size_t count) {
  const hn::ScalableTag<double> doubles;
  const hn::Rebind<float, decltype(doubles)> floats;
  const size_t step = hn::Lanes(doubles);
  auto sum0 = hn::Zero(doubles);
  auto sum1 = hn::Zero(doubles);
  size_t i = 0;
  for (; i + 2 * step <= count; i += 2 * step) {
    const auto first = hn::PromoteTo(doubles, hn::LoadU(floats, x + i));
    const auto second = hn::PromoteTo(doubles, hn::LoadU(floats, x + i + step));
    sum0 = hn::MulAdd(first, first, sum0);
    sum1 = hn::MulAdd(second, second, sum1);
  }
  double sum = hn::GetLane(hn::SumOfLanes(doubles, hn::Add(sum0, sum1)));
  for (; i < count; ++i) sum += static_cast<double>(x[i]) * static_cast<double>(x[i]);
  return sum;
}

}  // namespace anneal::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "kernels/cpu/element_types.h"

namespace anneal::cpu {

HWY_EXPORT(squared_norm_of);

void run(const SquaredNorm::Forward& args, Worker worker) {
  ensure(args.x.is_contiguous(), "squared_norm reads contiguous tensors only");
  constexpr int64_t kPiece = 4096;         // elements of one sum: part of the contract
  constexpr int64_t kPiecesAtOnce = 2048;  // their sums lie on the stack
  const float* x = f32(args.x);
  double& result = *args.result.as<double>();
  const int64_t elements = args.x.elements();
  const int64_t pieces = (elements + kPiece - 1) / kPiece;
  std::array<double, kPiecesAtOnce> sums;
  for (int64_t first = 0; first < pieces; first += kPiecesAtOnce) {
    const int64_t count = std::min(kPiecesAtOnce, pieces - first);
    split(worker, count, 16, [&](int64_t begin, int64_t end) {
      for (int64_t piece = begin; piece < end; ++piece) {
        const int64_t at = (first + piece) * kPiece;
        const auto length = static_cast<size_t>(std::min(kPiece, elements - at));
        sums[static_cast<size_t>(piece)] = HWY_DYNAMIC_DISPATCH(squared_norm_of)(x + at, length);
      }
    });
    for (int64_t piece = 0; piece < count; ++piece) result += sums[static_cast<size_t>(piece)];
  }
}

}  // namespace anneal::cpu
#endif
