// How a run is made to fit.

#include "engine/session/memory_fit.h"

#include <gtest/gtest.h>

#include "kernels/cpu/cpu.h"
#include "tests/engine/model/tiny_model.h"

namespace anneal::engine {
namespace {

class MemoryFitTest : public ::testing::Test {
 protected:
  MemoryFitTest() {
    build_.training = {.is_training = true, .trains_weights = false, .lora = {.rank = 4, .alpha = 8}};
    build_.max_length = kRow;
    for (int64_t rows : {8, 4, 2, 1}) choices_.push_back({rows, 8 / rows, rows * kRow});
  }
  int64_t needed(const MicroBatchChoice& choice, Rung rung) const {
    BuildOptions build = build_;
    build.max_tokens = choice.max_tokens;
    build.recompute = rung;
    return plan_model(architecture_, build, *backend_).total_bytes;
  }
  // With room for `bytes` beside the program, and a little more, as the program's own share is measured anew.
  MemoryFit fit(int64_t bytes, Recompute recompute = Recompute::kAuto) const {
    constexpr double kMeasuredAnew = 1e6;
    Recipe recipe;
    recipe.memory.recompute = recompute;
    recipe.memory.memory_limit_gb = (double(program_bytes()) + double(bytes) + kMeasuredAnew) / 1e9;
    return fit_memory(architecture_, build_, *backend_, recipe, choices_);
  }

  static constexpr int64_t kRow = 2048;
  std::unique_ptr<Backend> backend_ = make_cpu_backend(2);
  Architecture architecture_ = tiny_architecture({.layers = 8, .hidden = 128});
  BuildOptions build_;
  std::vector<MicroBatchChoice> choices_;
};

TEST_F(MemoryFitTest, WithRoomNothingIsChanged) {
  const MemoryFit roomy = fit(needed(choices_[0], Rung::kNone));
  EXPECT_EQ(roomy.micro_batch.rows, 8);
  EXPECT_EQ(roomy.recompute, Rung::kNone);
  EXPECT_EQ(roomy.sentence, "");
  EXPECT_TRUE(roomy.problems.empty());
}

TEST_F(MemoryFitTest, SmallerMicroBatchesComeBeforeRecomputation) {
  const MemoryFit half = fit(needed(choices_[1], Rung::kNone));
  EXPECT_EQ(half.micro_batch.rows, 4);
  EXPECT_EQ(half.micro_batch.accumulation, 2);
  EXPECT_EQ(half.recompute, Rung::kNone);
  EXPECT_NE(half.sentence.find("1 × 8 rows a step are computed as 2 × 4"), std::string::npos) << half.sentence;
}

TEST_F(MemoryFitTest, RecomputationComesWhereOneRowIsTooMuch) {
  const MemoryFit tight = fit(needed(choices_[3], Rung::kBlock));
  EXPECT_EQ(tight.micro_batch.rows, 1);
  EXPECT_NE(tight.recompute, Rung::kNone);
  EXPECT_NE(tight.sentence.find("recomputation"), std::string::npos) << tight.sentence;
}

TEST_F(MemoryFitTest, WhatIsAskedForIsKept) {
  const MemoryFit kept = fit(needed(choices_[3], Rung::kNone), Recompute::kNone);
  EXPECT_EQ(kept.micro_batch.rows, 1);
  EXPECT_EQ(kept.recompute, Rung::kNone);
}

TEST_F(MemoryFitTest, WhatCannotFitIsRefusedWithFigures) {
  const MemoryFit none = fit(needed(choices_[3], Rung::kBlock) / 4);
  EXPECT_EQ(none.verdict, "no");
  ASSERT_EQ(none.problems.size(), 1u);
  EXPECT_NE(none.problems[0].message.find("MB needed"), std::string::npos);
}

}  // namespace
}  // namespace anneal::engine
