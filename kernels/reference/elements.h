#pragma once
// Elements of tensors as doubles, one at a time: how the references read and write, whatever the type and the stride.

#include <bit>
#include <cmath>
#include <vector>

#include "kernels/core/tensor.h"

namespace anneal::reference {

// A double on its way to a 16-bit float. Rounding twice to nearest may differ from rounding once; an inexact first step
// that is cut and marked in the last bit ("round to odd") leaves the second step the right answer.
inline float rounded_to_odd(double value) {
  float nearest = static_cast<float>(value);
  if (static_cast<double>(nearest) == value || std::isnan(value)) return nearest;
  if (std::abs(static_cast<double>(nearest)) > std::abs(value)) nearest = std::nextafter(nearest, 0.0f);
  return std::bit_cast<float>(std::bit_cast<uint32_t>(nearest) | 1u);
}

template <class T>
T rounded_to(double value) {
  if constexpr (sizeof(T) == 2) {
    return T(rounded_to_odd(value));
  } else {
    return static_cast<T>(value);
  }
}

template <class T>
double widened(T value) {
  if constexpr (sizeof(T) == 2) {
    return static_cast<double>(static_cast<float>(value));
  } else {
    return static_cast<double>(value);
  }
}

// Element `column` of row `row`; a vector's element i is (i, 0).
inline double get(const Tensor& tensor, int64_t row, int64_t column = 0) {
  return dispatch_floating(
      tensor.dtype(), [&](auto zero) { return widened(tensor.as<decltype(zero)>()[row * tensor.stride() + column]); });
}

inline void put(const Tensor& tensor, int64_t row, int64_t column, double value) {
  dispatch_floating(tensor.dtype(), [&](auto zero) {
    using T = decltype(zero);
    tensor.as<T>()[row * tensor.stride() + column] = rounded_to<T>(value);
  });
}
inline void put(const Tensor& tensor, int64_t index, double value) { put(tensor, index, 0, value); }

// A whole matrix as dense doubles, row after row: for references that read each element many times.
inline std::vector<double> all_of(const Tensor& tensor) {
  std::vector<double> values;
  values.reserve(static_cast<std::size_t>(tensor.elements()));
  for (int64_t row = 0; row < tensor.rows(); ++row) {
    for (int64_t column = 0; column < tensor.columns(); ++column) values.push_back(get(tensor, row, column));
  }
  return values;
}

// The way back: each value is rounded once.
inline void put_all(const Tensor& tensor, const std::vector<double>& values) {
  ensure(static_cast<int64_t>(values.size()) == tensor.elements(), "a result of another size than its tensor");
  auto next = values.begin();
  for (int64_t row = 0; row < tensor.rows(); ++row) {
    for (int64_t column = 0; column < tensor.columns(); ++column) put(tensor, row, column, *next++);
  }
}

}  // namespace anneal::reference
