#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/ops/sum_parts/sum_parts.cpu.cpp"
#include "kernels/cpu/targets.h"
// what follows is compiled for each instruction set
#include "kernels/cpu/element_types.h"
#include "kernels/cpu/split.h"
#include "kernels/cpu/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace anneal::cpu::HWY_NAMESPACE {

void sum_parts_range(const SumParts::Forward& args, int64_t begin, int64_t end) {
  float* out = f32(args.out) + begin;
  const float* parts = f32(args.parts) + begin;
  for_each_vector(static_cast<size_t>(end - begin), [&](size_t i, size_t n) ANNEAL_INLINE {
    auto sum = args.accumulate ? load(out + i, n) : hn::Zero(Floats());
    for (int64_t part = 0; part < args.parts.rows(); ++part) {
      sum = hn::Add(sum, load(parts + part * args.parts.stride() + i, n));
    }
    store(sum, out + i, n);
  });
}

}  // namespace anneal::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace anneal::cpu {

HWY_EXPORT(sum_parts_range);

void run(const SumParts::Forward& args, Worker worker) {
  constexpr int64_t kPiece = 1 << 13;
  split(worker, args.out.elements(), kPiece,
        [&](int64_t begin, int64_t end) { HWY_DYNAMIC_DISPATCH(sum_parts_range)(args, begin, end); });
}

}  // namespace anneal::cpu
#endif
