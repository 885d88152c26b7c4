#include <gtest/gtest.h>

#include "kernels/reference/reference.h"
#include "tests/kernels/ops/attention/attention_batch.h"
#include "tests/kernels/ops/cpu_comparison.h"

namespace anneal::tests {
namespace {

// ds holds the difference of two sums over a head, which often cancels: twice the error of one sum.
constexpr double kGradientFactor = 2;

void expect_like_reference(const AttentionShape& shape, const std::vector<int32_t>& lengths, DType dtype) {
  SCOPED_TRACE(fmt::format("{} heads, {} kv heads of {}, window {}, soft cap {}, {}, lengths {}", shape.heads,
                           shape.kv_heads, shape.head_size, shape.window, shape.soft_cap, name_of(dtype),
                           fmt::join(lengths, " ")));
  AttentionBatch expected(shape, lengths, dtype);
  reference::run(expected.forward());
  AttentionBatch batch = expected;
  run_on_cpu(batch.forward());
  expect_close(batch.out, expected.out);
  expect_close(batch.lse, expected.lse);
  reference::run(expected.backward());
  batch.out = expected.out;
  batch.lse = expected.lse;
  run_on_cpu(batch.backward());
  expect_close(batch.dqkv, expected.dqkv, kGradientFactor);
}

AttentionShape shape_of(int64_t heads, int64_t kv_heads, int64_t head_size, int64_t window = 0, double soft_cap = 0) {
  return {.heads = heads,
          .kv_heads = kv_heads,
          .head_size = head_size,
          .scale = 1 / std::sqrt(static_cast<double>(head_size)),
          .window = window,
          .soft_cap = soft_cap};
}

TEST(AttentionCpu, MatchesReferenceForEveryLength) {
  for (const DType dtype : {DType::kF32, DType::kBF16}) {
    expect_like_reference(shape_of(3, 1, 16), {1, 2, 31, 32, 33, 127}, dtype);
    expect_like_reference(shape_of(3, 3, 8), {512, 0, 5}, dtype);
    expect_like_reference(shape_of(1, 1, 64), {1000}, dtype);
  }
}

TEST(AttentionCpu, MatchesReferenceForEveryHeadSize) {
  for (const int64_t head_size : {1, 7, 8, 16, 20, 32, 40, 64, 96, 100, 128, 250, 256}) {
    expect_like_reference(shape_of(2, 1, head_size), {70, 3}, DType::kF32);
    expect_like_reference(shape_of(2, 1, head_size), {70, 3}, DType::kBF16);
  }
}

TEST(AttentionCpu, MatchesReferenceForEveryGroupOfHeads) {
  for (const auto& [heads, kv_heads] : {std::pair<int64_t, int64_t>{9, 3}, {8, 4}, {1, 1}, {32, 8}, {16, 1}, {5, 5}}) {
    expect_like_reference(shape_of(heads, kv_heads, 16), {67, 130}, DType::kF32);
    expect_like_reference(shape_of(heads, kv_heads, 16), {67, 130}, DType::kBF16);
  }
}

TEST(AttentionCpu, MatchesReferenceInWindowsAndWithSoftCap) {
  for (const int64_t window : {1, 2, 17, 100, 300}) {
    expect_like_reference(shape_of(3, 1, 16, window), {333, 20}, DType::kF32);
    expect_like_reference(shape_of(1, 1, 256, window, 5), {150, 50}, DType::kF32);
  }
  expect_like_reference(shape_of(4, 1, 16, 0, 0.5), {300, 20}, DType::kF32);
  expect_like_reference(shape_of(4, 1, 16, 40, 20), {300, 20}, DType::kBF16);
}

TEST(AttentionCpu, MatchesReferenceOverManyBlocksOfKeys) {
  // Parts of one document add up key gradients in turns; a window ends their chains early.
  expect_like_reference(shape_of(6, 2, 64), {400}, DType::kF32);
  expect_like_reference(shape_of(8, 1, 16), {500}, DType::kBF16);
  expect_like_reference(shape_of(16, 1, 8, 150), {400, 90}, DType::kBF16);
}

void run_both(AttentionBatch& batch, int threads) {
  run_on_cpu(batch.forward(), threads);
  run_on_cpu(batch.backward(), threads);
}

// Copies the token rows [from, from + count) of one batch's inputs over another's.
void copy_tokens(const AttentionBatch& source, int64_t from, AttentionBatch& target, int64_t to, int64_t count) {
  for (int64_t row = 0; row < count; ++row) {
    for (int64_t column = 0; column < source.row(); ++column) {
      target.qkv.set(to + row, column, source.qkv.at(from + row, column));
    }
    for (int64_t column = 0; column < source.dout.view().columns(); ++column) {
      target.dout.set(to + row, column, source.dout.at(from + row, column));
    }
  }
}

bool same_bits(const TestTensor& a, int64_t from, const TestTensor& b, int64_t to, int64_t count) {
  const auto bytes = static_cast<std::size_t>(count * a.view().stride() * size_of(a.view().dtype()));
  return std::memcmp(a.view().slice_rows(from, from + count).data(), b.view().slice_rows(to, to + count).data(),
                     bytes) == 0;
}

bool same_results(const AttentionBatch& a, int64_t from, const AttentionBatch& b, int64_t to, int64_t count) {
  return same_bits(a.out, from, b.out, to, count) && same_bits(a.lse, from, b.lse, to, count) &&
         same_bits(a.dqkv, from, b.dqkv, to, count);
}

TEST(AttentionCpu, CaseD09ADocumentNeverSeesItsNeighbours) {
  for (const DType dtype : {DType::kF32, DType::kBF16}) {
    const AttentionShape shape = shape_of(6, 2, 24, 0, 3);
    constexpr int64_t kLength = 431;
    AttentionBatch packed(shape, {77, kLength, 300}, dtype);
    run_both(packed, 2);

    AttentionBatch changed = packed;
    changed.qkv.set(76, 5, 3.0);
    changed.qkv.set(77 + kLength, 70, -3.0);
    run_both(changed, 2);
    EXPECT_TRUE(same_results(packed, 77, changed, 77, kLength));
    EXPECT_FALSE(same_results(packed, 76, changed, 76, 1));

    AttentionBatch alone(shape, {kLength}, dtype);
    copy_tokens(packed, 77, alone, 0, kLength);
    run_both(alone, 2);
    EXPECT_TRUE(same_results(packed, 77, alone, 0, kLength));

    AttentionBatch moved(shape, {1, 0, 512, 3, kLength}, dtype, 9);
    copy_tokens(packed, 77, moved, 516, kLength);
    run_both(moved, 2);
    EXPECT_TRUE(same_results(packed, 77, moved, 516, kLength));
  }
}

TEST(AttentionCpu, NanStaysInItsDocument) {
  AttentionBatch batch(shape_of(4, 2, 16), {40, 100, 40}, DType::kF32);
  AttentionBatch sick = batch;
  for (int64_t column = 0; column < sick.row(); ++column) sick.qkv.set(90, column, std::nan(""));
  run_both(batch, 2);
  run_both(sick, 2);
  EXPECT_TRUE(same_results(batch, 0, sick, 0, 40));
  EXPECT_TRUE(same_results(batch, 140, sick, 140, 40));
  EXPECT_TRUE(std::isnan(sick.out.at(90, 0)));  // and shows in its own
  EXPECT_TRUE(std::isnan(sick.dqkv.at(90, 0)));
}

TEST(AttentionCpu, EveryThreadCountGivesTheSameBits) {
  for (const DType dtype : {DType::kF32, DType::kBF16}) {
    AttentionBatch one(shape_of(16, 2, 16), {900, 20, 130}, dtype);  // parts of 126 queries
    AttentionBatch two = one;
    AttentionBatch three = one;
    run_both(one, 1);
    run_both(two, 2);
    run_both(three, 3);
    EXPECT_TRUE(same_results(one, 0, two, 0, one.tokens()));
    EXPECT_TRUE(same_results(one, 0, three, 0, one.tokens()));
  }
}

TEST(AttentionCpu, ABatchOfNoTokensIsNoWork) {
  AttentionBatch batch(shape_of(2, 1, 8), {0, 0}, DType::kF32);
  run_both(batch, 2);
  EXPECT_EQ(batch.out.view().rows(), 0);
}

TEST(AttentionCpu, ScratchIsPlannedWithoutDocuments) {
  AttentionBatch batch(shape_of(6, 2, 64), {1024}, DType::kBF16);
  Attention::Backward planned = batch.backward();
  planned.bounds = {};
  EXPECT_EQ(cpu::scratch_bytes(planned, 2), cpu::scratch_bytes(batch.backward(), 2));
  EXPECT_LT(cpu::scratch_bytes(batch.forward(), 2), 1 << 20);  // whatever the length
}

}  // namespace
}  // namespace anneal::tests
