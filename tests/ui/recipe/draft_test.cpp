#include "ui/recipe/draft.h"

#include <gtest/gtest.h>

#include "tests/support/temporary_folder.h"

namespace anneal::ui {
namespace {

class DraftTest : public testing::Test {
 protected:
  DraftTest() {
    setenv("ANNEAL_HOME", folder_.path().c_str(), 1);
    QObject::connect(&draft_, &Draft::changed, [this] { ++changes_; });
  }
  tests::TemporaryFolder folder_;
  Draft draft_;
  int changes_ = 0;
};

TEST_F(DraftTest, TellsOfAChangeOnceAndOfNoneNever) {
  EXPECT_FALSE(draft_.set("lora_rank", "8"));
  EXPECT_EQ(changes_, 1);
  EXPECT_FALSE(draft_.set("lora_rank", "8"));
  EXPECT_EQ(changes_, 1);
  EXPECT_EQ(draft_.recipe().lora.lora_rank, 8);
  EXPECT_TRUE(draft_.is_changed("lora_rank"));
}

TEST_F(DraftTest, RefusesWhatIsNoValueAndKeepsTheOld) {
  const auto problem = draft_.set("lora_rank", "many");
  ASSERT_TRUE(problem.has_value());
  EXPECT_EQ(problem->path, "lora_rank");
  EXPECT_EQ(draft_.recipe().lora.lora_rank, 16);
  EXPECT_EQ(changes_, 0);
}

TEST_F(DraftTest, ResetGivesTheDefault) {
  draft_.set("weight_decay", "0.1");
  draft_.reset("weight_decay");
  EXPECT_FALSE(draft_.is_changed("weight_decay"));
}

TEST_F(DraftTest, APresetLeavesNothingOfTheOneBefore) {
  draft_.apply_preset(2);
  EXPECT_EQ(draft_.preset(), 2);
  draft_.apply_preset(0);
  EXPECT_EQ(draft_.preset(), 0);
  EXPECT_EQ(draft_.recipe().evaluation.early_stopping_patience, 0);
  EXPECT_EQ(draft_.recipe().schedule.max_steps, 20);
  draft_.set("lora_rank", "7");
  EXPECT_EQ(draft_.preset(), -1);
}

TEST_F(DraftTest, ProposesAFolderThatIsNotThere) {
  folder_.write("runs/stories-lora-1/x", "");
  draft_.choose_model("somewhere/stories");
  EXPECT_EQ(draft_.recipe().checkpoint.out, (folder_.path() / "runs" / "stories-lora-2").string());
}

TEST_F(DraftTest, NamesAModelOfTheCacheByItsRepository) {
  draft_.choose_model("cache/hub/models--owner--Small-1B/snapshots/0123");
  EXPECT_EQ(draft_.model_name(), "Small-1B");
}

}  // namespace
}  // namespace anneal::ui
