// Matrices turned over on their way into panels, four rows by four columns at a time; compiled once for each
// instruction set (targets.h), so without #pragma once.
#if defined(ANNEAL_KERNELS_CPU_TRANSPOSE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef ANNEAL_KERNELS_CPU_TRANSPOSE_INL_H
#undef ANNEAL_KERNELS_CPU_TRANSPOSE_INL_H
#else
#define ANNEAL_KERNELS_CPU_TRANSPOSE_INL_H
#endif

#include <algorithm>

#include "kernels/cpu/tile_product-inl.h"

HWY_BEFORE_NAMESPACE();
namespace anneal::cpu::HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR
using FourFloats = hn::CappedTag<float, 4>;
using Four = hn::Vec<FourFloats>;

HWY_INLINE Four load_four(const float* from) { return hn::LoadU(FourFloats(), from); }
HWY_INLINE Four load_four(const BFloat16* from) {
  const hn::Rebind<uint16_t, FourFloats> halves;
  const auto wide =
      hn::PromoteTo(hn::RebindToUnsigned<FourFloats>(), hn::LoadU(halves, reinterpret_cast<const uint16_t*>(from)));
  return hn::BitCast(FourFloats(), hn::ShiftLeft<16>(wide));
}

// Four columns of four rows, times `factor`.
struct FourColumns {
  Four column0, column1, column2, column3;
};
template <class T>
HWY_INLINE FourColumns four_columns(const T* from, int64_t stride, Four factor) {
  const FourFloats d;
  const hn::Repartition<double, FourFloats> pairs;
  const auto row0 = hn::Mul(load_four(from), factor);
  const auto row1 = hn::Mul(load_four(from + stride), factor);
  const auto row2 = hn::Mul(load_four(from + 2 * stride), factor);
  const auto row3 = hn::Mul(load_four(from + 3 * stride), factor);
  const auto low01 = hn::BitCast(pairs, hn::InterleaveLower(d, row0, row1));
  const auto low23 = hn::BitCast(pairs, hn::InterleaveLower(d, row2, row3));
  const auto high01 = hn::BitCast(pairs, hn::InterleaveUpper(d, row0, row1));
  const auto high23 = hn::BitCast(pairs, hn::InterleaveUpper(d, row2, row3));
  return {hn::BitCast(d, hn::InterleaveLower(pairs, low01, low23)),
          hn::BitCast(d, hn::InterleaveUpper(pairs, low01, low23)),
          hn::BitCast(d, hn::InterleaveLower(pairs, high01, high23)),
          hn::BitCast(d, hn::InterleaveUpper(pairs, high01, high23))};
}
#endif

// Four columns of four rows become four rows of four columns, `step` floats apart.
template <class T>
HWY_INLINE void transpose_four(const T* from, int64_t stride, float scale, float* to, int64_t step) {
#if HWY_TARGET == HWY_SCALAR
  for (int64_t k = 0; k < 4; ++k) {
    for (int64_t j = 0; j < 4; ++j) to[k * step + j] = scale * static_cast<float>(from[j * stride + k]);
  }
#else
  const FourFloats d;
  const FourColumns four = four_columns(from, stride, hn::Set(d, scale));
  hn::StoreU(four.column0, d, to);
  hn::StoreU(four.column1, d, to + step);
  hn::StoreU(four.column2, d, to + 2 * step);
  hn::StoreU(four.column3, d, to + 3 * step);
#endif
}

// to[j · step + i] = scale · from[i · stride + j] for i < rows, j < columns.
template <class T>
void transpose_block(const T* from, int64_t stride, int64_t rows, int64_t columns, float scale, float* to,
                     int64_t step) {
  int64_t i = 0;
  for (; i + 4 <= rows; i += 4) {
    int64_t j = 0;
    for (; j + 4 <= columns; j += 4) transpose_four(from + i * stride + j, stride, scale, to + j * step + i, step);
    for (; j < columns; ++j) {
      for (int64_t k = i; k < i + 4; ++k) to[j * step + k] = scale * static_cast<float>(from[k * stride + j]);
    }
  }
  for (; i < rows; ++i) {
    for (int64_t j = 0; j < columns; ++j) to[j * step + i] = scale * static_cast<float>(from[i * stride + j]);
  }
}

// `rows` rows of `length` elements as one panel of the right side: element after element, zeros for missing rows.
template <class T>
void pack_transposed_panel(const T* from, int64_t stride, int64_t rows, int64_t length, float scale, float* panel) {
  if (rows < kPanel) std::fill_n(panel, length * kPanel, 0.0f);
  transpose_block(from, stride, rows, length, scale, panel, kPanel);
}

}  // namespace anneal::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per target
