#include <gtest/gtest.h>

#include "kernels/reference/reference.h"
#include "tests/kernels/ops/cpu_comparison.h"
#include "tests/kernels/ops/linear_cross_entropy/linear_cross_entropy_batch.h"

namespace anneal::tests {
namespace {

void expect_like_reference(const HeadSizes& sizes, DType dtype) {
  SCOPED_TRACE(fmt::format("{} rows of {}, vocabulary {}, chunks of {}, soft cap {}, {}", sizes.rows, sizes.width,
                           sizes.vocabulary, sizes.chunk, sizes.soft_cap, name_of(dtype)));
  HeadBatch expected(sizes, dtype);
  expected.dweight.randomize(8);  // is added to
  HeadBatch batch = expected;
  reference::run(expected.forward());
  run_on_cpu(batch.forward());
  expect_close(batch.row_loss, expected.row_loss);
  reference::run(expected.forward_backward());
  run_on_cpu(batch.forward_backward());
  expect_close(batch.row_loss, expected.row_loss);
  expect_close(batch.dhidden, expected.dhidden);
  expect_close(batch.dweight, expected.dweight);
}

TEST(LinearCrossEntropyCpu, MatchesReference) {
  for (const DType dtype : {DType::kF32, DType::kBF16}) {
    expect_like_reference({.rows = 1, .vocabulary = 1, .width = 1, .chunk = 1}, dtype);
    expect_like_reference({.rows = 30, .vocabulary = 7, .width = 5, .chunk = 3}, dtype);
    expect_like_reference({.rows = 100, .vocabulary = 1003, .width = 64, .chunk = 32}, dtype);
    expect_like_reference({.rows = 60, .vocabulary = 321, .width = 33, .chunk = 64, .logit_scale = 0.5, .soft_cap = 3},
                          dtype);
  }
}

TEST(LinearCrossEntropyCpu, SumsALargeVocabularyExactlyEnough) {
  // 262144 equal logits: the loss is the log of their number. Added one by one in FP32, the sum would stall at 2^24
  // parts of the first, and err before.
  constexpr int64_t kVocabulary = 262144;
  HeadBatch batch({.rows = 1, .vocabulary = kVocabulary, .width = 1}, DType::kF32);
  reference::put_all(batch.weight, std::vector<double>(kVocabulary, 0.5));
  run_on_cpu(batch.forward());
  EXPECT_FLOAT_EQ(static_cast<float>(batch.row_loss.at(0)), std::log(262144.0f));
}

TEST(LinearCrossEntropyCpu, RowsWithoutATargetAreNeverRead) {
  HeadBatch batch({.rows = 31, .vocabulary = 50, .width = 16, .chunk = 8}, DType::kF32);
  HeadBatch sick = batch;
  for (int64_t row = 1; row < 31; row += 3) {  // those without a target
    for (int64_t column = 0; column < 16; ++column) sick.hidden.set(row, column, std::nan(""));
    sick.row_weight.set(row, 0, std::nan(""));
  }
  run_on_cpu(batch.forward_backward());
  run_on_cpu(sick.forward_backward());
  EXPECT_TRUE(sick.row_loss.has_bits_of(batch.row_loss));
  EXPECT_TRUE(sick.dhidden.has_bits_of(batch.dhidden));
  EXPECT_TRUE(sick.dweight.has_bits_of(batch.dweight));
  for (int64_t column = 0; column < 16; ++column) EXPECT_EQ(sick.dhidden.at(4, column), 0);
}

TEST(LinearCrossEntropyCpu, CaseD01ABatchWithoutTargetsIsZero) {
  HeadBatch batch({.rows = 6, .vocabulary = 50, .width = 16}, DType::kF32);
  batch.targets = whole_numbers(std::vector<int32_t>(6, kNoTarget));
  batch.row_loss.randomize(1);
  batch.dhidden.randomize(2);
  run_on_cpu(batch.forward_backward());
  for (int64_t row = 0; row < 6; ++row) {
    EXPECT_EQ(batch.row_loss.at(row), 0);
    for (int64_t column = 0; column < 16; ++column) EXPECT_EQ(batch.dhidden.at(row, column), 0);
  }
  EXPECT_EQ(largest_of(batch.dweight), 0);
}

TEST(LinearCrossEntropyCpu, GradientMayOverwriteTheHiddenRows) {
  HeadBatch apart({.rows = 20, .vocabulary = 90, .width = 12, .chunk = 5}, DType::kBF16);
  HeadBatch together = apart;
  run_on_cpu(apart.forward_backward());
  LinearCrossEntropy::ForwardBackward args = together.forward_backward();
  args.dhidden = together.hidden;
  args.dweight = {};
  run_on_cpu(args);
  EXPECT_TRUE(together.hidden.has_bits_of(apart.dhidden));
}

TEST(LinearCrossEntropyCpu, ATargetOutsideTheVocabularyIsRefused) {
  HeadBatch batch({.rows = 2, .vocabulary = 5, .width = 4}, DType::kF32);
  batch.targets = whole_numbers<int32_t>({0, 5});
  EXPECT_THROW(run_on_cpu(batch.forward()), InternalError);
}

TEST(LinearCrossEntropyCpu, EveryThreadCountGivesTheSameBits) {
  HeadBatch one({.rows = 150, .vocabulary = 2000, .width = 64, .chunk = 64}, DType::kF32);
  HeadBatch two = one;
  HeadBatch three = one;
  run_on_cpu(one.forward_backward(), 1);
  run_on_cpu(two.forward_backward(), 2);
  run_on_cpu(three.forward_backward(), 3);
  for (const HeadBatch* other : {&two, &three}) {
    EXPECT_TRUE(other->row_loss.has_bits_of(one.row_loss));
    EXPECT_TRUE(other->dhidden.has_bits_of(one.dhidden));
    EXPECT_TRUE(other->dweight.has_bits_of(one.dweight));
  }
}

}  // namespace
}  // namespace anneal::tests
