#include <gtest/gtest.h>

#include "kernels/reference/reference.h"
#include "tests/kernels/ops/finite_differences.h"
#include "tests/kernels/ops/test_tensor.h"

namespace anneal::tests {
namespace {

ANNEAL_GRADIENT_TEST(Dropout::Forward, Dropout) {
  TestTensor x(DType::kF64, 3, 9), y(DType::kF64, 3, 9), dy(DType::kF64, 3, 9), dx(DType::kF64, 3, 9);
  x.randomize(1);
  dy.randomize(2);
  const TestTensor places = whole_numbers<int64_t>({7, int64_t{1} << 40, 0});
  const auto dropout = [&](const TestTensor& out, const TestTensor& in) {
    reference::run(Dropout::Forward{.y = out, .x = in, .places = places, .probability = 0.3, .key = {1, 2}});
  };
  dropout(dx, dy);
  expect_gradient(x, dx, [&] {
    dropout(y, x);
    return weighted_sum(y, dy);
  });
}

}  // namespace
}  // namespace anneal::tests
