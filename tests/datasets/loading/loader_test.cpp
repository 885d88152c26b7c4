#include "datasets/loading/loader.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/support/temporary_folder.h"

namespace anneal::datasets {
namespace {

class LoaderTest : public ::testing::Test {
 protected:
  TokenCache cache_of(int64_t rows) {
    const auto path = folder_.path() / "rows.h5";
    {
      TokenCacheWriter writer(path, "k");
      for (int64_t row = 0; row < rows; ++row) {
        const std::vector<int32_t> ids{static_cast<int32_t>(row), 1, 2};
        writer.append(ids, ids, row + 1);
      }
      writer.finish("");
    }
    return std::move(*TokenCache::open(path, "k"));
  }
  // Rows of the next `steps` steps, one list a step.
  static std::vector<std::vector<int64_t>> take(Loader& loader, int64_t steps) {
    std::vector<std::vector<int64_t>> taken;
    LoadedStep step;
    for (int64_t i = 0; i < steps; ++i) {
      loader.next(step);
      auto& rows = taken.emplace_back();
      for (std::size_t m = 0; m < step.used; ++m) {
        for (std::size_t r = 0; r < step.micro_batches[m].used; ++r) rows.push_back(step.micro_batches[m].rows[r].row);
      }
    }
    return taken;
  }
  static constexpr PackingOptions kPlain{.packing = false, .row_length = 3, .batch_rows = 1, .seed = 9};
  tests::TemporaryFolder folder_;
};

// C01: the end token may be the padding token as well: rows of different lengths lie side by side without any padding,
// and the end of each has its label.
TEST_F(LoaderTest, CaseC01TheTrueEndKeepsItsLabelInABatch) {
  constexpr int32_t kEnd = 2;
  const auto path = folder_.path() / "two.h5";
  {
    TokenCacheWriter writer(path, "k");
    for (const std::size_t length : {5u, 9u}) {
      std::vector<int32_t> ids(length, 7);
      ids.back() = kEnd;
      std::vector<int32_t> labels = ids;
      labels[0] = labels[1] = -100;
      writer.append(ids, labels, static_cast<int64_t>(length));
    }
    writer.finish("");
  }
  Loader loader(std::move(*TokenCache::open(path, "k")),
                {.packing = false, .row_length = 9, .batch_rows = 2, .seed = 9}, 1);
  LoadedStep step;
  loader.next(step);
  ASSERT_EQ(step.used, 1u);
  const MicroBatch& batch = step.micro_batches[0];
  ASSERT_EQ(batch.used, 2u);
  EXPECT_EQ(batch.tokens, 14);
  EXPECT_EQ(batch.label_tokens, 10);
  std::set<std::size_t> lengths;
  for (const LoadedRow& row : batch.rows) {
    lengths.insert(row.content.ids.size());
    ASSERT_EQ(row.content.labels.size(), row.content.ids.size());
    EXPECT_EQ(row.content.labels.back(), kEnd);
  }
  EXPECT_EQ(lengths, (std::set<std::size_t>{5, 9}));
}

// D04: 3 rows, 4 micro-batches a step, 2 epochs: 2 steps, each of 3 rows.
TEST_F(LoaderTest, CaseD04APartialWindowIsAStep) {
  EXPECT_EQ(Loader::steps_of_epoch(cache_of(3), kPlain, 4, 0), 1);
  Loader loader(cache_of(3), kPlain, 4);
  LoadedStep step;
  for (int64_t epoch = 0; epoch < 2; ++epoch) {
    loader.next(step);
    EXPECT_EQ(step.used, 3u);
    EXPECT_EQ(step.epoch, epoch);
    EXPECT_TRUE(step.ends_epoch());
    EXPECT_EQ(step.label_tokens, 6);
    EXPECT_EQ(step.tokens, 9);
  }
}

// D05: 63 micro-batches, 8 a step: 8 steps an epoch, the last of 7.
TEST_F(LoaderTest, CaseD05AWindowClosesAtTheEndOfItsEpoch) {
  Loader loader(cache_of(63), kPlain, 8);
  LoadedStep step;
  for (int64_t i = 0; i < 16; ++i) {
    loader.next(step);
    EXPECT_EQ(step.used, i % 8 == 7 ? 7u : 8u);
    EXPECT_EQ(step.epoch, i / 8);
    EXPECT_EQ(step.step_in_epoch, i % 8);
  }
}

// E01: 10 rows, 3 epochs; going on after step 14 gives the rows of steps 15 to 30.
TEST_F(LoaderTest, CaseE01GoesOnInTheMiddleOfAnEpoch) {
  Loader whole(cache_of(10), kPlain, 1);
  const auto expected = take(whole, 30);
  for (const int64_t done : {0, 10, 14, 29}) {
    Loader resumed(cache_of(10), kPlain, 1, {.epoch = done / 10, .step_in_epoch = done % 10});
    EXPECT_EQ(take(resumed, 30 - done), (std::vector(expected.begin() + done, expected.end()))) << done;
  }
  // At the end of an epoch "epoch 0, step 10" is "epoch 1, step 0".
  Loader resumed(cache_of(10), kPlain, 1, {.epoch = 0, .step_in_epoch = 10});
  EXPECT_EQ(take(resumed, 20), (std::vector(expected.begin() + 10, expected.end())));
}

TEST_F(LoaderTest, MayBeDestroyedWhileItReadsAhead) {
  for (int i = 0; i < 20; ++i) Loader loader(cache_of(5), kPlain, 2);
}

}  // namespace
}  // namespace anneal::datasets
