#include <gtest/gtest.h>

#include "kernels/reference/reference.h"
#include "tests/kernels/ops/finite_differences.h"
#include "tests/kernels/ops/test_tensor.h"

namespace anneal::tests {
namespace {

LinearWeight plain_weight(const Tensor& plain) {
  LinearWeight weight;
  weight.plain = plain;
  weight.outputs = plain.rows();
  weight.inputs = plain.columns();
  return weight;
}

ANNEAL_GRADIENT_TEST(Linear::Forward, Linear) {
  constexpr int64_t kRows = 4, kInputs = 5, kOutputs = 3;
  TestTensor x(DType::kF64, kRows, kInputs, 2), w(DType::kF64, kOutputs, kInputs), bias(DType::kF64, kOutputs);
  TestTensor y(DType::kF64, kRows, kOutputs, 1), dy(DType::kF64, kRows, kOutputs);
  x.randomize(1);
  w.randomize(2);
  bias.randomize(3);
  dy.randomize(4);
  const LinearWeight weight = plain_weight(w);
  const auto loss = [&] {
    y.randomize(5);
    reference::run(Linear::Forward{.y = y, .x = x, .weight = weight, .bias = bias, .alpha = 0.7, .accumulate = true});
    return weighted_sum(y, dy);
  };

  TestTensor dx(DType::kF64, kRows, kInputs), dw(DType::kF64, kOutputs, kInputs), dbias(DType::kF64, kOutputs);
  reference::run(Linear::BackwardInput{.dx = dx, .dy = dy, .weight = weight, .alpha = 0.7});
  reference::run(Linear::BackwardWeight{.dweight = dw, .dbias = dbias, .dy = dy, .x = x, .alpha = 0.7});
  expect_gradient(x, dx, loss);
  expect_gradient(w, dw, loss);
  expect_gradient(bias, dbias, loss);
}

}  // namespace
}  // namespace anneal::tests
