#include <gtest/gtest.h>

#include "kernels/reference/reference.h"
#include "tests/kernels/ops/finite_differences.h"
#include "tests/kernels/ops/test_tensor.h"

namespace anneal::tests {
namespace {

ANNEAL_GRADIENT_TEST(Rope::Forward, Rope) {
  constexpr int64_t kHeads = 2, kHeadSize = 7, kHalf = 3;  // the seventh column of a head is passed through
  TestTensor x(DType::kF64, 4, kHeads * kHeadSize), cosine(DType::kF64, 9, kHalf), sine(DType::kF64, 9, kHalf);
  TestTensor dx(DType::kF64, 4, kHeads * kHeadSize);
  x.randomize(1);
  cosine.randomize(2);
  sine.randomize(3);
  dx.randomize(4);
  const TestTensor positions = whole_numbers<int32_t>({0, 5, 8, 2});
  const TestTensor dy = dx;
  const auto loss = [&] {
    const TestTensor turned = x;
    reference::run(Rope::Forward{
        .x = turned, .cosine = cosine, .sine = sine, .positions = positions, .heads = kHeads, .head_size = kHeadSize});
    return weighted_sum(turned, dy);
  };
  reference::run(Rope::Backward{
      .dx = dx, .cosine = cosine, .sine = sine, .positions = positions, .heads = kHeads, .head_size = kHeadSize});
  expect_gradient(x, dx, loss);
}

}  // namespace
}  // namespace anneal::tests
