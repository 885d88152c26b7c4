// Scores and logits that are held below a bound, compiled once for each instruction set.
#if defined(ANNEAL_KERNELS_CPU_SOFT_CAP_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef ANNEAL_KERNELS_CPU_SOFT_CAP_INL_H
#undef ANNEAL_KERNELS_CPU_SOFT_CAP_INL_H
#else
#define ANNEAL_KERNELS_CPU_SOFT_CAP_INL_H
#endif

#include "kernels/cpu/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace anneal::cpu::HWY_NAMESPACE {

// soft_cap · tanh(score / soft_cap), within a few units in the last place.
HWY_INLINE Vector capped(Vector score, float soft_cap) {
  const Floats d;
  const auto one = hn::Set(d, 1.0f);
  const auto x = hn::Mul(score, hn::Set(d, 1.0f / soft_cap));
  const auto size = hn::Abs(x);
  const auto decayed = exp_of_negative(hn::Mul(size, hn::Set(d, -2.0f)));
  const auto large = hn::Div(hn::Sub(one, decayed), hn::Add(one, decayed));
  // Near zero the difference loses its digits: x − x³/3 + 2x⁵/15 − 17x⁷/315, whose rest is below 6e-8 of it at 0.2.
  const auto square = hn::Mul(x, x);
  auto sum = hn::Set(d, -17.0f / 315);
  sum = hn::MulAdd(sum, square, hn::Set(d, 2.0f / 15));
  sum = hn::MulAdd(sum, square, hn::Set(d, -1.0f / 3));
  sum = hn::MulAdd(sum, square, one);
  const auto tangent = hn::IfThenElse(hn::Lt(size, hn::Set(d, 0.2f)), hn::Mul(sum, size), large);
  return hn::Mul(hn::CopySign(tangent, x), hn::Set(d, soft_cap));
}

// d capped / d score, from the capped score.
HWY_INLINE Vector cap_slope(Vector capped_score, float soft_cap) {
  const Floats d;
  const auto ratio = hn::Mul(capped_score, hn::Set(d, 1.0f / soft_cap));
  return hn::NegMulAdd(ratio, ratio, hn::Set(d, 1.0f));
}

}  // namespace anneal::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per target
