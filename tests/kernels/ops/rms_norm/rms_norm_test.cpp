#include <gtest/gtest.h>

#include "kernels/reference/reference.h"
#include "tests/kernels/ops/finite_differences.h"
#include "tests/kernels/ops/test_tensor.h"

namespace anneal::tests {
namespace {

struct Case {
  explicit Case(int64_t rows = 4, int64_t columns = 7)
      : y(DType::kF64, rows, columns),
        inv_rms(DType::kF64, rows),
        sum(DType::kF64, rows, columns),
        x(DType::kF64, rows, columns),
        pending(DType::kF64, rows, columns),
        weight(DType::kF64, columns),
        dy(DType::kF64, rows, columns),
        dx(DType::kF64, rows, columns),
        dweight(DType::kF64, columns) {
    x.randomize(1, 2.0);
    pending.randomize(2);
    weight.randomize(3, 0.5, 1.0);
    dy.randomize(4);
  }
  double loss(bool has_pending, double offset) {
    reference::run(RmsNorm::Forward{.y = y,
                                    .inv_rms = inv_rms,
                                    .sum = has_pending ? sum.view() : Tensor(),
                                    .x = x,
                                    .pending = has_pending ? pending.view() : Tensor(),
                                    .weight = weight,
                                    .epsilon = 1e-5,
                                    .weight_offset = offset});
    return weighted_sum(y, dy);
  }
  void backward(bool has_pending, double offset, bool accumulate) {
    reference::run(RmsNorm::Backward{.dx = dx,
                                     .dweight = dweight,
                                     .dy = dy,
                                     .x = has_pending ? sum : x,
                                     .inv_rms = inv_rms,
                                     .weight = weight,
                                     .weight_offset = offset,
                                     .accumulate = accumulate});
  }
  TestTensor y, inv_rms, sum, x, pending, weight, dy, dx, dweight;
};

ANNEAL_GRADIENT_TEST(RmsNorm::Forward, RmsNorm) {
  Case c;
  c.loss(false, 0.0);
  c.backward(false, 0.0, false);
  expect_gradient(c.x, c.dx, [&] { return c.loss(false, 0.0); });
  expect_gradient(c.weight, c.dweight, [&] { return c.loss(false, 0.0); });
}

// The sum goes on as the residual, so that the gradient of what comes later is there already and is added to.
ANNEAL_GRADIENT_TEST(RmsNorm::Forward, RmsNormOfASumWithAnOffsetWeight) {
  Case c;
  TestTensor later(DType::kF64, 4, 7);
  later.randomize(5);
  c.dx = later;
  const auto loss = [&] { return c.loss(true, 1.0) + weighted_sum(c.sum, later); };
  loss();
  c.backward(true, 1.0, true);
  expect_gradient(c.x, c.dx, loss);
  expect_gradient(c.pending, c.dx, loss);
  expect_gradient(c.weight, c.dweight, loss);
}

}  // namespace
}  // namespace anneal::tests
