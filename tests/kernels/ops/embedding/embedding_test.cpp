#include <gtest/gtest.h>

#include "kernels/reference/reference.h"
#include "tests/kernels/ops/finite_differences.h"
#include "tests/kernels/ops/test_tensor.h"

namespace anneal::tests {
namespace {

ANNEAL_GRADIENT_TEST(Embedding::Forward, Embedding) {
  TestTensor table(DType::kF64, 6, 3), y(DType::kF64, 5, 3), dy(DType::kF64, 5, 3), dtable(DType::kF64, 6, 3);
  table.randomize(1);
  dy.randomize(2);
  const TestTensor ids = whole_numbers<int32_t>({4, 0, 4, 5, 4});
  const auto loss = [&] {
    reference::run(Embedding::Forward{.y = y, .table = table, .ids = ids, .scale = 1.5});
    return weighted_sum(y, dy);
  };
  reference::run(Embedding::Backward{.dtable = dtable, .dy = dy, .ids = ids, .scale = 1.5});
  expect_gradient(table, dtable, loss);
}

}  // namespace
}  // namespace anneal::tests
