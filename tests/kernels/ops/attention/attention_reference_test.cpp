#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "kernels/reference/reference.h"
#include "tests/kernels/ops/attention/attention_batch.h"

namespace anneal {
namespace {

double weighted_sum(const OwnedTensor& values, const OwnedTensor& weights) {
  const std::vector<double> a = values.values(), b = weights.values();
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

TEST(AttentionReference, OneTokenAttendsToItself) {
  AttentionBatch batch({.heads = 2, .kv_heads = 1, .head_size = 2, .scale = 0.5}, {1}, DType::kF64);
  batch.qkv.assign({1, 2, /**/ -3, 1, /*key*/ 4, 5, /*value*/ 7, 8});
  reference::run(batch.forward());
  EXPECT_EQ(batch.out.values(), (std::vector<double>{7, 8, 7, 8}));
  EXPECT_EQ(batch.lse.values(), (std::vector<double>{7, -3.5}));  // 0.5 · (4 + 10), 0.5 · (−12 + 5)
}

TEST(AttentionReference, EqualScoresAverageTheValuesSeenSoFar) {
  AttentionBatch batch({.heads = 1, .kv_heads = 1, .head_size = 1}, {3, 0, 2}, DType::kF64);
  batch.qkv.assign({0, 1, 6, /**/ 0, 2, 10, /**/ 0, 3, -1, /*second document*/ 0, 4, 20, /**/ 0, 5, 40});
  reference::run(batch.forward());
  EXPECT_EQ(batch.out.values(), (std::vector<double>{6, 8, 5, 20, 30}));
  EXPECT_DOUBLE_EQ(batch.lse.values()[2], std::log(3.0));
}

TEST(AttentionReference, WindowCountsTheOwnPosition) {
  AttentionBatch batch({.heads = 1, .kv_heads = 1, .head_size = 1, .window = 2}, {3}, DType::kF64);
  batch.qkv.assign({0, 1, 6, /**/ 0, 2, 10, /**/ 0, 3, -2});
  reference::run(batch.forward());
  EXPECT_EQ(batch.out.values(), (std::vector<double>{6, 8, 4}));
}

TEST(AttentionReference, SoftCapBoundsTheScores) {
  AttentionBatch batch({.heads = 1, .kv_heads = 1, .head_size = 1, .soft_cap = 2}, {1}, DType::kF64);
  batch.qkv.assign({10, 10, 1});
  reference::run(batch.forward());
  EXPECT_DOUBLE_EQ(batch.lse.values()[0], 2 * std::tanh(50.0));
}

// Central differences of Σ out · dout in every element of qkv.
void expect_gradient_matches_differences(const AttentionShape& shape) {
  AttentionBatch batch(shape, {1, 6, 0, 4}, DType::kF64);
  reference::run(batch.forward());
  reference::run(batch.backward());
  const std::vector<double> gradient = batch.dqkv.values();
  std::vector<double> point = batch.qkv.values();
  const double step = 1e-5;  // error of the difference about step² = 1e-10
  for (std::size_t i = 0; i < point.size(); ++i) {
    const double kept = point[i];
    const auto at = [&](double value) {
      point[i] = value;
      batch.qkv.assign(point);
      reference::run(batch.forward());
      return weighted_sum(batch.out, batch.dout);
    };
    const double difference = (at(kept + step) - at(kept - step)) / (2 * step);
    point[i] = kept;
    ASSERT_NEAR(gradient[i], difference, 1e-8 * (1 + std::abs(difference))) << "element " << i;
  }
}

TEST(AttentionReference, GradientMatchesDifferences) {
  expect_gradient_matches_differences({.heads = 2, .kv_heads = 2, .head_size = 3, .scale = 0.6});
}
TEST(AttentionReference, GradientMatchesDifferencesWithSharedKeys) {
  expect_gradient_matches_differences({.heads = 6, .kv_heads = 2, .head_size = 3, .scale = 0.6});
}
TEST(AttentionReference, GradientMatchesDifferencesInAWindowWithSoftCap) {
  expect_gradient_matches_differences(
      {.heads = 3, .kv_heads = 1, .head_size = 4, .scale = 0.5, .window = 3, .soft_cap = 1.5});
}

}  // namespace
}  // namespace anneal
