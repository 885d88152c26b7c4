#include "ui/recipe/fixes.h"

#include <gtest/gtest.h>

namespace anneal::ui {
namespace {

engine::Recipe complete() {
  engine::Recipe recipe;
  recipe.model.model = "m";
  recipe.data.data = {"d"};
  recipe.checkpoint.out = "o";
  return recipe;
}

TEST(FixFor, SendsToThePageWhereAPersonHasToChoose) {
  EXPECT_EQ(fix_for({"model", "is missing", ""}, {})->place, FixPlace::kModels);
  engine::Recipe recipe = complete();
  recipe.data.data.clear();
  EXPECT_EQ(fix_for({"data", "is missing", ""}, recipe)->place, FixPlace::kData);
}

TEST(FixFor, MakesRoomWithWhatChangesTheResultLeast) {
  const Problem memory{"memory", "8 GB needed, 4 GB free", ""};
  engine::Recipe recipe = complete();
  recipe.memory.recompute = engine::Recompute::kNone;
  recipe.method.method = engine::Method::kFull;
  recipe = fix_for(memory, recipe)->recipe;
  EXPECT_EQ(recipe.memory.recompute, engine::Recompute::kAuto);
  EXPECT_EQ(recipe.method.method, engine::Method::kFull);
  recipe = fix_for(memory, recipe)->recipe;
  EXPECT_EQ(recipe.method.method, engine::Method::kLora);
  recipe = fix_for(memory, recipe)->recipe;
  EXPECT_EQ(recipe.data.max_sequence_length, 1024);
  recipe.data.max_sequence_length = 64;
  EXPECT_FALSE(fix_for(memory, recipe).has_value());
}

TEST(FixFor, ResetsASettingThatIsWrong) {
  engine::Recipe recipe = complete();
  recipe.device.device = "cuda";
  EXPECT_EQ(fix_for({"device", "is not available", ""}, recipe)->recipe.device.device, "auto");
  EXPECT_FALSE(fix_for({"device", "is not available", ""}, complete()).has_value()) << "nothing would change";
}

TEST(FixFor, KnowsNothingAboutAFilesOwnFaults) {
  EXPECT_FALSE(fix_for({"data.jsonl:7", "broken", ""}, complete()).has_value());
}

}  // namespace
}  // namespace anneal::ui
