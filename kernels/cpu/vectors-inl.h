// Vectors of floats from memory that holds F32 or BF16, and back; compiled once for each instruction set (targets.h),
// so without #pragma once. Every helper takes `count`, how many elements there are from the pointer on: a full vector
// or, at a row's end, fewer. The rest of a short vector is zero, so that a row's end computes the same way as its
// middle.
#if defined(ANNEAL_KERNELS_CPU_VECTORS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef ANNEAL_KERNELS_CPU_VECTORS_INL_H
#undef ANNEAL_KERNELS_CPU_VECTORS_INL_H
#else
#define ANNEAL_KERNELS_CPU_VECTORS_INL_H
#endif

#include <cstring>

#include <hwy/highway.h>
#include "kernels/core/dtype.h"

// Between a lambda's parameters and its body: the compiler inlines what is called from one place, not what is called
// from two, as every body of for_each_vector is.
#define ANNEAL_INLINE __attribute__((always_inline))

HWY_BEFORE_NAMESPACE();
namespace anneal::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using Floats = hn::ScalableTag<float>;
using Vector = hn::Vec<Floats>;
using Words = hn::RebindToUnsigned<Floats>;

HWY_INLINE size_t lanes() { return hn::Lanes(Floats()); }

// body(i, n) for i = 0, lanes, 2 lanes …, with n = lanes but for the last. A body is a lambda marked ANNEAL_INLINE:
// called from two places it would not be inlined, and n would not be known to be a full vector.
template <class Body>
HWY_INLINE void for_each_vector(size_t count, Body body) {
  size_t i = 0;
  for (; i + lanes() <= count; i += lanes()) body(i, lanes());
  if (i < count) body(i, count - i);
}

HWY_INLINE Vector load_full(const float* from) { return hn::LoadU(Floats(), from); }
HWY_INLINE Vector load_full(const BFloat16* from) {
  const hn::Rebind<uint16_t, Floats> halves;
  const auto upper = hn::PromoteTo(Words(), hn::LoadU(halves, reinterpret_cast<const uint16_t*>(from)));
  return hn::BitCast(Floats(), hn::ShiftLeft<16>(upper));
}

HWY_INLINE void store_full(Vector value, float* to) { hn::StoreU(value, Floats(), to); }
// Rounds to nearest, ties to even; NaN stays NaN.
HWY_INLINE hn::Vec<Words> rounded_upper_halves(Vector value) {
  const Words words;
  const auto bits = hn::BitCast(words, value);
  const auto odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(words, 1u));
  const auto rounded = hn::ShiftRight<16>(hn::Add(bits, hn::Add(odd, hn::Set(words, 0x7FFFu))));
  const auto quiet = hn::Or(hn::ShiftRight<16>(bits), hn::Set(words, 0x40u));
  const auto is_nan = hn::RebindMask(words, hn::IsNaN(value));
  return hn::IfThenElse(is_nan, quiet, rounded);
}
HWY_INLINE void store_full(Vector value, BFloat16* to) {
  const hn::Rebind<uint16_t, Floats> halves;
  const hn::RebindToSigned<Words> whole;  // the upper half of a word is never negative: saturating keeps it
  const auto narrow = hn::DemoteTo(halves, hn::BitCast(whole, rounded_upper_halves(value)));
  hn::StoreU(narrow, halves, reinterpret_cast<uint16_t*>(to));
}
// The nearest BF16 values, still as floats.
HWY_INLINE Vector rounded_to_bf16(Vector value) {
  return hn::BitCast(Floats(), hn::ShiftLeft<16>(rounded_upper_halves(value)));
}

template <class T>
HWY_INLINE Vector load(const T* from, size_t count) {
  if (HWY_LIKELY(count >= lanes())) return load_full(from);
  T padded[HWY_MAX_BYTES / sizeof(float)] = {};
  std::memcpy(padded, from, count * sizeof(T));
  return load_full(padded);
}

template <class T>
HWY_INLINE void store(Vector value, T* to, size_t count) {
  if (HWY_LIKELY(count >= lanes())) {
    store_full(value, to);
    return;
  }
  T padded[HWY_MAX_BYTES / sizeof(float)];
  store_full(value, padded);
  std::memcpy(to, padded, count * sizeof(T));
}

// Rounded to T and widened again: what a load after a store gives.
template <class T>
HWY_INLINE Vector rounded_like(Vector value, const T*) {
  if constexpr (sizeof(T) == sizeof(float)) {
    return value;
  } else {
    return rounded_to_bf16(value);
  }
}

// exp(x) for x ≤ 0, within 2 units in the last place; 0 below −87.3, where floats end. NaN stays NaN.
HWY_INLINE Vector exp_of_negative(Vector x) {
  const Floats d;
  const hn::RebindToSigned<Floats> whole;
  const auto is_zero = hn::Lt(x, hn::Set(d, -87.3365448f));
  // exp(x) = 2^n · exp(r), n = round(x / ln 2), r = x − n ln 2 with ln 2 in two parts, |r| ≤ 0.347
  const auto n = hn::NearestInt(hn::Max(hn::Mul(x, hn::Set(d, 1.44269504f)), hn::Set(d, -126.0f)));
  const auto n_float = hn::ConvertTo(d, n);
  auto r = hn::NegMulAdd(n_float, hn::Set(d, 0.693145752f), x);
  r = hn::NegMulAdd(n_float, hn::Set(d, 1.42860677e-6f), r);
  // Taylor's series to r^7: the rest is below 6e-9 of the result.
  auto sum = hn::Set(d, 1.0f / 5040);
  sum = hn::MulAdd(sum, r, hn::Set(d, 1.0f / 720));
  sum = hn::MulAdd(sum, r, hn::Set(d, 1.0f / 120));
  sum = hn::MulAdd(sum, r, hn::Set(d, 1.0f / 24));
  sum = hn::MulAdd(sum, r, hn::Set(d, 1.0f / 6));
  sum = hn::MulAdd(sum, r, hn::Set(d, 0.5f));
  sum = hn::MulAdd(sum, r, hn::Set(d, 1.0f));
  sum = hn::MulAdd(sum, r, hn::Set(d, 1.0f));
  const auto power = hn::BitCast(d, hn::ShiftLeft<23>(hn::Add(n, hn::Set(whole, 127))));
  return hn::IfThenZeroElse(is_zero, hn::Mul(sum, power));
}

// 1 / (1 + exp(−x)) and its complement 1 − that, both to full relative precision on both sides of zero.
struct Sigmoid {
  Vector value, complement;
};
HWY_INLINE Sigmoid sigmoid(Vector x) {
  const Floats d;
  const auto one = hn::Set(d, 1.0f);
  const auto decayed = exp_of_negative(hn::Neg(hn::Abs(x)));
  const auto larger = hn::Div(one, hn::Add(one, decayed));
  const auto smaller = hn::Mul(decayed, larger);
  const auto is_negative = hn::Lt(x, hn::Zero(d));
  return {hn::IfThenElse(is_negative, smaller, larger), hn::IfThenElse(is_negative, larger, smaller)};
}

}  // namespace anneal::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per target
