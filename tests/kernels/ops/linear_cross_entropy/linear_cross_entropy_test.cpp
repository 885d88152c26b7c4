#include "kernels/ops/linear_cross_entropy/linear_cross_entropy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "kernels/reference/reference.h"
#include "tests/kernels/ops/linear_cross_entropy/linear_cross_entropy_batch.h"

namespace anneal {
namespace {

using testing::DoubleNear;
using testing::Pointwise;

double weighted_loss(HeadBatch& batch) {
  reference::run(batch.forward());
  const std::vector<double> loss = batch.row_loss.values(), weight = batch.row_weight.values();
  return std::inner_product(loss.begin(), loss.end(), weight.begin(), 0.0);
}

// Central differences of Σ row_weight · row_loss in every element of `in`.
void expect_differences(HeadBatch& batch, OwnedTensor& in, const std::vector<double>& gradient) {
  std::vector<double> point = in.values();
  const double step = 1e-5;  // error of the difference about step² = 1e-10
  for (std::size_t i = 0; i < point.size(); ++i) {
    const double kept = point[i];
    const auto at = [&](double value) {
      point[i] = value;
      in.assign(point);
      return weighted_loss(batch);
    };
    const double difference = (at(kept + step) - at(kept - step)) / (2 * step);
    point[i] = kept;
    ASSERT_NEAR(gradient[i], difference, 1e-8 * (1 + std::abs(difference))) << "element " << i;
  }
  in.assign(point);
}

void expect_gradients(const HeadSizes& sizes) {
  HeadBatch batch(sizes, DType::kF64);
  reference::run(batch.forward_backward());
  expect_differences(batch, batch.hidden, batch.dhidden.values());
  expect_differences(batch, batch.weight, batch.dweight.values());
}

TEST(LinearCrossEntropyReference, EqualLogitsCostTheLogOfTheVocabulary) {
  HeadBatch batch({.rows = 2, .vocabulary = 4, .width = 1}, DType::kF64);
  batch.hidden.assign({3, 5});
  batch.weight.assign({2, 2, 2, 2});
  batch.row_weight.assign({2, 1});
  batch.targets = {1, kNoTarget};
  reference::run(batch.forward_backward());
  EXPECT_DOUBLE_EQ(batch.row_loss.values()[0], std::log(4.0));
  EXPECT_EQ(batch.row_loss.values()[1], 0);
  // 2 · (4 · ¼ · 2 − 2) and 2 · 3 · (¼ − [v = 1])
  EXPECT_THAT(batch.dhidden.values(), Pointwise(DoubleNear(1e-14), {0.0, 0.0}));
  EXPECT_THAT(batch.dweight.values(), Pointwise(DoubleNear(1e-14), {1.5, -4.5, 1.5, 1.5}));
}

TEST(LinearCrossEntropyReference, GradientsMatchDifferences) {
  expect_gradients({.rows = 5, .vocabulary = 7, .width = 3});
}
TEST(LinearCrossEntropyReference, GradientsMatchDifferencesWithScaleAndSoftCap) {
  expect_gradients({.rows = 4, .vocabulary = 6, .width = 3, .logit_scale = 0.7, .soft_cap = 1.3});
}

}  // namespace
}  // namespace anneal
