#include <gtest/gtest.h>

#include "kernels/reference/reference.h"
#include "tests/kernels/ops/finite_differences.h"
#include "tests/kernels/ops/test_tensor.h"

namespace anneal::tests {
namespace {

void check_gradient(Activation activation) {
  TestTensor gate_up(DType::kF64, 3, 14), y(DType::kF64, 3, 7), dy(DType::kF64, 3, 7), dgate_up(DType::kF64, 3, 14);
  gate_up.randomize(1, 4.0);
  dy.randomize(2);
  const auto loss = [&] {
    reference::run(GatedActivation::Forward{.y = y, .gate_up = gate_up, .activation = activation});
    return weighted_sum(y, dy);
  };
  reference::run(
      GatedActivation::Backward{.dgate_up = dgate_up, .dy = dy, .gate_up = gate_up, .activation = activation});
  expect_gradient(gate_up, dgate_up, loss);
}

ANNEAL_GRADIENT_TEST(GatedActivation::Forward, GatedActivationSilu) { check_gradient(Activation::kSilu); }
ANNEAL_GRADIENT_TEST(GatedActivation::Forward, GatedActivationGelu) { check_gradient(Activation::kGeluTanh); }

}  // namespace
}  // namespace anneal::tests
