#pragma once
// The gradient of every op is tested against differences of its forward, both by the reference, in double.
//
//   ANNEAL_GRADIENT_TEST(RmsNorm::Forward, RmsNormAddsThePendingTensor) {
//     … run the forward and the backward …
//     expect_gradient(x, dx, [&] { forward again; return weighted_sum(y, dy); });
//   }
//
// registers that the op of that forward has a test; op_list_test.cpp fails for an op with a gradient and none.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "kernels/core/function_ref.h"
#include "kernels/op_list.h"
#include "kernels/reference/elements.h"

namespace anneal::tests {

// Places in op_list.h of the forwards whose gradient has a test. Filled before main() by the macro below.
inline std::set<int>& ops_with_gradient_test() {
  static std::set<int> ops;
  return ops;
}

inline bool register_gradient_test(int op) {
  ops_with_gradient_test().insert(op);
  return true;
}

#define ANNEAL_GRADIENT_TEST(Args, Name)                                 \
  [[maybe_unused]] static const bool kRegistersGradientOf##Name =        \
      ::anneal::tests::register_gradient_test(::anneal::kOpIndex<Args>); \
  TEST(FiniteDifferences, Name)

// Σ values · weights: a loss whose gradient with respect to `values` is `weights`.
inline double weighted_sum(const Tensor& values, const Tensor& weights) {
  double sum = 0;
  for (int64_t row = 0; row < values.rows(); ++row) {
    for (int64_t column = 0; column < values.columns(); ++column) {
      sum += reference::get(values, row, column) * reference::get(weights, row, column);
    }
  }
  return sum;
}

// d loss / d input by differences of fourth order, for one element. At this step the formula's own error is about
// 1e-12 of the loss's scale, and so is that of rounding.
inline double difference(const Tensor& input, int64_t row, int64_t column, FunctionRef<double()> loss) {
  constexpr double kStep = 1e-3;
  const double saved = reference::get(input, row, column);
  const auto loss_at = [&](double offset) {
    reference::put(input, row, column, saved + offset);
    return loss();
  };
  const double near = loss_at(kStep) - loss_at(-kStep);
  const double far = loss_at(2 * kStep) - loss_at(-2 * kStep);
  reference::put(input, row, column, saved);
  return (8.0 * near - far) / (12.0 * kStep);
}

// Every element of `gradient` is d loss / d `input`, within 1e-6 of itself (or of a hundredth of the largest, for
// elements near zero). All tensors are F64. `loss` is called many times while one element of `input` is moved.
inline void expect_gradient(const Tensor& input, const Tensor& gradient, FunctionRef<double()> loss) {
  constexpr double kRelative = 1e-6;
  ASSERT_EQ(input.dtype(), DType::kF64) << "differences need doubles";
  ASSERT_EQ(gradient.dtype(), DType::kF64) << "differences need doubles";
  double largest = 0;
  for (int64_t row = 0; row < input.rows(); ++row) {
    for (int64_t column = 0; column < input.columns(); ++column) {
      largest = std::max(largest, std::abs(reference::get(gradient, row, column)));
    }
  }
  EXPECT_GT(largest, 0.0) << "a gradient of zeros tests nothing";
  for (int64_t row = 0; row < input.rows(); ++row) {
    for (int64_t column = 0; column < input.columns(); ++column) {
      const double expected = difference(input, row, column, loss);
      const double allowed = kRelative * std::max(std::abs(expected), 0.01 * largest);
      ASSERT_NEAR(reference::get(gradient, row, column), expected, allowed) << "row " << row << ", column " << column;
    }
  }
}

}  // namespace anneal::tests
