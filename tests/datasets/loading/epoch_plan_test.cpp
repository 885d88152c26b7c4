#include "datasets/loading/epoch_plan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace anneal::datasets {
namespace {

std::vector<int64_t> some_lengths(int64_t count, int64_t longest) {
  std::vector<int64_t> lengths;
  for (int64_t i = 0; i < count; ++i) lengths.push_back(1 + (i * 7919) % longest);
  return lengths;
}

std::vector<int64_t> all_rows(const EpochPlan& plan) {
  std::vector<int64_t> rows;
  for (int64_t i = 0; i < plan.micro_batches(); ++i) {
    const auto some = plan.rows(i);
    rows.insert(rows.end(), some.begin(), some.end());
  }
  return rows;
}

TEST(EpochPlan, EveryRowStandsOnceInAnEpoch) {
  const auto lengths = some_lengths(1000, 97);
  for (const bool packing : {true, false}) {
    auto rows = all_rows(EpochPlan(lengths, {.packing = packing, .row_length = 100, .batch_rows = 3, .seed = 1}, 0));
    std::sort(rows.begin(), rows.end());
    std::vector<int64_t> expected(1000);
    std::iota(expected.begin(), expected.end(), int64_t{0});
    EXPECT_EQ(rows, expected);
  }
}

TEST(EpochPlan, NoMicroBatchIsLargerThanItsRows) {
  const auto lengths = some_lengths(5000, 64);
  const EpochPlan plan(lengths, {.row_length = 64, .batch_rows = 4, .seed = 2}, 0);
  int64_t tokens = 0;
  for (int64_t i = 0; i < plan.micro_batches(); ++i) {
    int64_t in_batch = 0;
    for (const int64_t row : plan.rows(i)) in_batch += lengths[static_cast<std::size_t>(row)];
    EXPECT_LE(in_batch, 4 * 64);
    tokens += in_batch;
  }
  // Full but for a little: that is what packing is for.
  EXPECT_GT(static_cast<double>(tokens) / static_cast<double>(plan.micro_batches() * 4 * 64), 0.95);
}

TEST(EpochPlan, TheOrderDependsOnSeedAndEpochAlone) {
  const auto lengths = some_lengths(50, 10);
  const PackingOptions options{.packing = false, .row_length = 10, .seed = 5};
  EXPECT_EQ(all_rows(EpochPlan(lengths, options, 3)), all_rows(EpochPlan(lengths, options, 3)));
  EXPECT_NE(all_rows(EpochPlan(lengths, options, 3)), all_rows(EpochPlan(lengths, options, 4)));
  EXPECT_NE(all_rows(EpochPlan(lengths, options, 3)),
            all_rows(EpochPlan(lengths, {.packing = false, .row_length = 10, .seed = 6}, 3)));
}

TEST(EpochPlan, UnshuffledKeepsTheOrder) {
  const auto lengths = some_lengths(20, 10);
  const auto rows = all_rows(EpochPlan(lengths, {.packing = false, .row_length = 10, .shuffles = false}, 0));
  EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end()));
}

TEST(EpochPlan, ARowThatFillsExactlyStandsAlone) {
  const std::vector<int64_t> lengths{8, 8, 8};
  EXPECT_EQ(EpochPlan(lengths, {.row_length = 8}, 0).micro_batches(), 3);
}

}  // namespace
}  // namespace anneal::datasets
