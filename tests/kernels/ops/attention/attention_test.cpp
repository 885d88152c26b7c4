#include "kernels/ops/attention/attention.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "kernels/reference/reference.h"
#include "tests/kernels/ops/attention/attention_batch.h"
#include "tests/kernels/ops/finite_differences.h"

namespace anneal::tests {
namespace {

using reference::all_of;
using reference::put_all;
using testing::ElementsAre;

TEST(AttentionReference, OneTokenAttendsToItself) {
  AttentionBatch batch({.heads = 2, .kv_heads = 1, .head_size = 2, .scale = 0.5}, {1}, DType::kF64);
  put_all(batch.qkv, {1, 2, /**/ -3, 1, /*key*/ 4, 5, /*value*/ 7, 8});
  reference::run(batch.forward());
  EXPECT_THAT(all_of(batch.out), ElementsAre(7, 8, 7, 8));
  EXPECT_THAT(all_of(batch.lse), ElementsAre(7, -3.5));  // 0.5 · (4 + 10), 0.5 · (−12 + 5)
}

TEST(AttentionReference, EqualScoresAverageTheValuesSeenSoFar) {
  AttentionBatch batch({.heads = 1, .kv_heads = 1, .head_size = 1}, {3, 0, 2}, DType::kF64);
  put_all(batch.qkv, {0, 1, 6, /**/ 0, 2, 10, /**/ 0, 3, -1, /*second document*/ 0, 4, 20, /**/ 0, 5, 40});
  reference::run(batch.forward());
  EXPECT_THAT(all_of(batch.out), ElementsAre(6, 8, 5, 20, 30));
  EXPECT_DOUBLE_EQ(batch.lse.at(2), std::log(3.0));
}

TEST(AttentionReference, WindowCountsTheOwnPosition) {
  AttentionBatch batch({.heads = 1, .kv_heads = 1, .head_size = 1, .window = 2}, {3}, DType::kF64);
  put_all(batch.qkv, {0, 1, 6, /**/ 0, 2, 10, /**/ 0, 3, -2});
  reference::run(batch.forward());
  EXPECT_THAT(all_of(batch.out), ElementsAre(6, 8, 4));
}

TEST(AttentionReference, SoftCapBoundsTheScores) {
  AttentionBatch batch({.heads = 1, .kv_heads = 1, .head_size = 1, .soft_cap = 2}, {1}, DType::kF64);
  put_all(batch.qkv, {3, 1, 1});
  reference::run(batch.forward());
  EXPECT_DOUBLE_EQ(batch.lse.at(0), 2 * std::tanh(1.5));
}

void expect_attention_gradient(const AttentionShape& shape) {
  AttentionBatch batch(shape, {1, 6, 0, 4}, DType::kF64);
  const auto loss = [&] {
    reference::run(batch.forward());
    return weighted_sum(batch.out, batch.dout);
  };
  loss();
  reference::run(batch.backward());
  expect_gradient(batch.qkv, batch.dqkv, loss);
}

ANNEAL_GRADIENT_TEST(Attention::Forward, Attention) {
  expect_attention_gradient({.heads = 2, .kv_heads = 2, .head_size = 3, .scale = 0.6});
}
ANNEAL_GRADIENT_TEST(Attention::Forward, AttentionWithSharedKeys) {
  expect_attention_gradient({.heads = 6, .kv_heads = 2, .head_size = 3, .scale = 0.6});
}
ANNEAL_GRADIENT_TEST(Attention::Forward, AttentionInAWindowWithSoftCap) {
  expect_attention_gradient({.heads = 3, .kv_heads = 1, .head_size = 4, .scale = 0.5, .window = 3, .soft_cap = 1.5});
}

}  // namespace
}  // namespace anneal::tests
