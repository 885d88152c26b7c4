#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/ops/adamw/adamw.cpu.cpp"
#include "kernels/cpu/targets.h"
// what follows is compiled for each instruction set
#include "kernels/cpu/element_types.h"
#include "kernels/cpu/split.h"
#include "kernels/cpu/vectors-inl.h"

namespace anneal::cpu {
#ifndef ANNEAL_ADAMW_FACTORS
#define ANNEAL_ADAMW_FACTORS
// What one update multiplies by: worked out in double, then rounded, as PyTorch does.
struct AdamWFactors {
  float gradient_scale, kept, beta1, one_minus_beta1, beta2, one_minus_beta2, second_correction, epsilon, step_size;
};
#endif
}  // namespace anneal::cpu

HWY_BEFORE_NAMESPACE();
namespace anneal::cpu::HWY_NAMESPACE {

template <class Copy>
void update_range(const AdamW::Update& args, const AdamWFactors& factors, int64_t begin, Copy* copy, size_t count) {
  const Floats d;
  float* parameter = f32(args.parameter) + begin;
  float* first_moment = f32(args.first_moment) + begin;
  float* second_moment = f32(args.second_moment) + begin;
  const float* gradient = f32(args.gradient) + begin;
  for_each_vector(count, [&](size_t i, size_t n) ANNEAL_INLINE {
    const auto g = hn::Mul(load(gradient + i, n), hn::Set(d, factors.gradient_scale));
    auto p = hn::Mul(load(parameter + i, n), hn::Set(d, factors.kept));
    auto m = hn::Mul(load(first_moment + i, n), hn::Set(d, factors.beta1));
    m = hn::MulAdd(g, hn::Set(d, factors.one_minus_beta1), m);
    auto v = hn::Mul(load(second_moment + i, n), hn::Set(d, factors.beta2));
    v = hn::MulAdd(hn::Mul(g, hn::Set(d, factors.one_minus_beta2)), g, v);
    const auto root = hn::Div(hn::Sqrt(v), hn::Set(d, factors.second_correction));
    const auto denominator = hn::Add(root, hn::Set(d, factors.epsilon));
    p = hn::Sub(p, hn::Div(hn::Mul(m, hn::Set(d, factors.step_size)), denominator));
    store(m, first_moment + i, n);
    store(v, second_moment + i, n);
    store(p, parameter + i, n);
    // The copy holds BF16 values, also where it is F32.
    if (copy != nullptr) store(rounded_to_bf16(p), copy + i, n);
  });
}

void adamw_update(const AdamW::Update& args, const AdamWFactors& factors, int64_t begin, int64_t end) {
  dispatch_f32_bf16(args.copy.exists() ? args.copy.dtype() : DType::kF32, [&](auto type) {
    using Copy = decltype(type);
    Copy* copy = args.copy.exists() ? static_cast<Copy*>(args.copy.data()) + begin : nullptr;
    update_range(args, factors, begin, copy, static_cast<size_t>(end - begin));
  });
}

}  // namespace anneal::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace anneal::cpu {

HWY_EXPORT(adamw_update);

void run(const AdamW::Update& args, Worker worker) {
  for (const Tensor& tensor : {args.parameter, args.gradient, args.first_moment, args.second_moment}) {
    ensure(tensor.dtype() == DType::kF32, "the processor's optimizer is F32");
  }
  const auto step = static_cast<double>(args.step);
  AdamWFactors factors;
  factors.gradient_scale = static_cast<float>(args.gradient_scale);
  factors.kept = static_cast<float>(1.0 - args.learning_rate * args.weight_decay);
  factors.beta1 = static_cast<float>(args.beta1);
  factors.one_minus_beta1 = static_cast<float>(1.0 - args.beta1);
  factors.beta2 = static_cast<float>(args.beta2);
  factors.one_minus_beta2 = static_cast<float>(1.0 - args.beta2);
  factors.second_correction = static_cast<float>(std::sqrt(1.0 - std::pow(args.beta2, step)));
  factors.epsilon = static_cast<float>(args.epsilon);
  factors.step_size = static_cast<float>(args.learning_rate / (1.0 - std::pow(args.beta1, step)));
  constexpr int64_t kPiece = 1 << 15;
  split(worker, args.parameter.elements(), kPiece,
        [&](int64_t begin, int64_t end) { HWY_DYNAMIC_DISPATCH(adamw_update)(args, factors, begin, end); });
}

}  // namespace anneal::cpu
#endif
