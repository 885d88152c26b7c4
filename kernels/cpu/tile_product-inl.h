// Small matrix products in FP32 with the tile of the result held in registers; compiled once for each instruction set
// (targets.h), so without #pragma once. What attention and product.cpp are built on.
#if defined(ANNEAL_KERNELS_CPU_TILE_PRODUCT_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef ANNEAL_KERNELS_CPU_TILE_PRODUCT_INL_H
#undef ANNEAL_KERNELS_CPU_TILE_PRODUCT_INL_H
#else
#define ANNEAL_KERNELS_CPU_TILE_PRODUCT_INL_H
#endif

#include "kernels/cpu/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace anneal::cpu::HWY_NAMESPACE {

// Six rows of two vectors: twelve sums, the right side's two vectors and one broadcast fill AVX2's sixteen registers.
constexpr int64_t kTileRows = 6;
constexpr int64_t kLanes = HWY_LANES(float);
constexpr int64_t kPanel = 2 * kLanes;  // columns of a panel of the right side

// Element (row, k) stands at data[row · row_step + k · inner_step].
struct LeftSide {
  const float* data;
  int64_t row_step, inner_step;
};
// Rows of up to kPanel columns, `step` floats from one to the next; whole vectors are read.
struct RightSide {
  const float* data;
  int64_t step;
  int64_t columns;
};
struct ProductSum {
  float* data;
  int64_t step;
  bool accumulate;  // adds to what stands there
};

template <int kRows, int kVectors>
HWY_NOINLINE void multiply_tile(LeftSide a, RightSide b, int64_t inner, ProductSum c) {
  const Floats d;
  Vector sums[kRows][kVectors];
#pragma GCC unroll 6
  for (int row = 0; row < kRows; ++row) {
#pragma GCC unroll 2
    for (int v = 0; v < kVectors; ++v) sums[row][v] = hn::Zero(d);
    // What is added to at the end may be far away by then.
    __builtin_prefetch(c.data + row * c.step);
  }
  for (int64_t k = 0; k < inner; ++k) {
    Vector right[kVectors];
#pragma GCC unroll 2
    for (int v = 0; v < kVectors; ++v) right[v] = hn::LoadU(d, b.data + k * b.step + v * kLanes);
#pragma GCC unroll 6
    for (int row = 0; row < kRows; ++row) {
      const Vector left = hn::Set(d, a.data[row * a.row_step + k * a.inner_step]);
#pragma GCC unroll 2
      for (int v = 0; v < kVectors; ++v) sums[row][v] = hn::MulAdd(left, right[v], sums[row][v]);
    }
  }
#pragma GCC unroll 6
  for (int row = 0; row < kRows; ++row) {
#pragma GCC unroll 2
    for (int v = 0; v < kVectors; ++v) {
      float* to = c.data + row * c.step + v * kLanes;
      hn::StoreU(c.accumulate ? hn::Add(hn::LoadU(d, to), sums[row][v]) : sums[row][v], d, to);
    }
  }
}

template <int kRows>
HWY_INLINE void multiply_rows(LeftSide a, RightSide b, int64_t inner, ProductSum c) {
  if (b.columns > kLanes) {
    multiply_tile<kRows, 2>(a, b, inner, c);
  } else {
    multiply_tile<kRows, 1>(a, b, inner, c);
  }
}

// c [+]= a · b for `rows` rows and one panel. Whole vectors of c are written.
inline void multiply(LeftSide a, int64_t rows, RightSide b, int64_t inner, ProductSum c) {
  for (; rows >= kTileRows; rows -= kTileRows) {
    multiply_rows<kTileRows>(a, b, inner, c);
    a.data += kTileRows * a.row_step;
    c.data += kTileRows * c.step;
  }
  switch (rows) {
    case 5:
      return multiply_rows<5>(a, b, inner, c);
    case 4:
      return multiply_rows<4>(a, b, inner, c);
    case 3:
      return multiply_rows<3>(a, b, inner, c);
    case 2:
      return multiply_rows<2>(a, b, inner, c);
    case 1:
      return multiply_rows<1>(a, b, inner, c);
    default:
      return;
  }
}

}  // namespace anneal::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per target
