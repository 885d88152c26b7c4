#include "kernels/ops/linear_cross_entropy/linear_cross_entropy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/reference/reference.h"
#include "tests/kernels/ops/finite_differences.h"
#include "tests/kernels/ops/linear_cross_entropy/linear_cross_entropy_batch.h"

namespace anneal::tests {
namespace {

using reference::all_of;
using reference::put_all;
using testing::DoubleNear;
using testing::Pointwise;

TEST(LinearCrossEntropyReference, EqualLogitsCostTheLogOfTheVocabulary) {
  HeadBatch batch({.rows = 2, .vocabulary = 4, .width = 1}, DType::kF64);
  put_all(batch.hidden, {3, 5});
  put_all(batch.weight, {2, 2, 2, 2});
  put_all(batch.row_weight, {2, 1});
  batch.targets = whole_numbers<int32_t>({1, kNoTarget});
  reference::run(batch.forward_backward());
  EXPECT_DOUBLE_EQ(batch.row_loss.at(0), std::log(4.0));
  EXPECT_EQ(batch.row_loss.at(1), 0);
  // 2 · (4 · ¼ · 2 − 2) and 2 · 3 · (¼ − [v = 1])
  EXPECT_THAT(all_of(batch.dhidden), Pointwise(DoubleNear(1e-14), {0.0, 0.0}));
  EXPECT_THAT(all_of(batch.dweight), Pointwise(DoubleNear(1e-14), {1.5, -4.5, 1.5, 1.5}));
}

void expect_head_gradients(const HeadSizes& sizes) {
  HeadBatch batch(sizes, DType::kF64);
  reference::run(batch.forward_backward());
  const auto loss = [&] {
    reference::run(batch.forward());
    return weighted_sum(batch.row_loss, batch.row_weight);
  };
  expect_gradient(batch.hidden, batch.dhidden, loss);
  expect_gradient(batch.weight, batch.dweight, loss);
}

ANNEAL_GRADIENT_TEST(LinearCrossEntropy::Forward, LinearCrossEntropy) {
  expect_head_gradients({.rows = 5, .vocabulary = 7, .width = 3});
}
ANNEAL_GRADIENT_TEST(LinearCrossEntropy::Forward, LinearCrossEntropyWithScaleAndSoftCap) {
  expect_head_gradients({.rows = 4, .vocabulary = 6, .width = 3, .logit_scale = 0.7, .soft_cap = 1.3});
}

}  // namespace
}  // namespace anneal::tests
