#include "engine/recipe/recipe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace anneal::engine {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string refusal(const std::string& name, const std::string& text) {
  Recipe recipe;
  const auto problem = recipe_fields().set_text(recipe, name, text);
  return problem ? to_sentence(*problem) : "";
}

// The names are a promise to files and scripts.
TEST(Recipe, KeepsTheNamesThatPeopleKnow) {
  EXPECT_THAT(
      recipe_fields().names(),
      ::testing::UnorderedElementsAre(
          "model", "data", "eval_data", "out", "adapter", "method", "precision", "seed", "num_epochs", "max_steps",
          "max_sequence_length", "packing", "per_device_batch_size", "gradient_accumulation_steps", "learning_rate",
          "lr_scheduler", "warmup_steps", "warmup_ratio", "optimizer", "weight_decay", "decay_norms", "adam_beta1",
          "adam_beta2", "adam_epsilon", "max_grad_norm", "lora_rank", "lora_alpha", "lora_dropout", "use_rslora",
          "target_modules", "recompute", "memory_limit_gb", "eval_every_steps", "eval_fraction",
          "checkpoint_every_steps", "keep_checkpoints", "early_stopping_patience", "train_on", "too_long", "bad_rows",
          "consecutive_turns", "empty_answers", "move_think_markup", "chat_template", "columns", "device", "threads"));
}

TEST(Recipe, EveryFieldHasHelpAndSaysItsDefault) {
  for (const Field& field : recipe_fields().fields()) {
    EXPECT_TRUE(field.help.ends_with('.')) << field.name;
    EXPECT_FALSE(field.group.empty()) << field.name;
    EXPECT_TRUE(!field.default_value.is_null() || !field.unset.empty())
        << field.name << " leaves open what it comes to";
  }
}

TEST(Recipe, RefusesByNameWhatItDoesNotHave) {
  EXPECT_EQ(refusal("use_dora", "true"),
            "use_dora: is not available in this version. Leave it out; there are lora_rank, lora_alpha, lora_dropout, "
            "use_rslora, target_modules.");
  for (const char* name :
       {"allow_tf32", "fp8_scaling", "optimizer_states", "master_weights", "rank_pattern", "alpha_pattern",
        "modules_to_save", "added_tokens", "train_only_new_rows", "quantize_base", "offload", "shard_stage"}) {
    EXPECT_THAT(refusal(name, "x"), HasSubstr("is not available in this version")) << name;
  }
  EXPECT_EQ(refusal("precision", "fp8"),
            "precision: \"fp8\" is not available in this version. Use one of auto, fp32, bf16.");
  EXPECT_EQ(refusal("method", "qlora"), "method: \"qlora\" is not available in this version. Use one of full, lora.");
  EXPECT_EQ(refusal("learnig_rate", "1"), "learnig_rate: there is no such setting. Did you mean learning_rate?");
}

TEST(Recipe, UnsetValuesComeToWhatTheMethodNeeds) {
  Recipe recipe;
  EXPECT_EQ(learning_rate_of(recipe), 2e-4);
  recipe.method.method = Method::kFull;
  EXPECT_EQ(learning_rate_of(recipe), 2e-5);
  EXPECT_FALSE(recipe_fields().set_text(recipe, "learning_rate", "1e-4").has_value());
  EXPECT_EQ(learning_rate_of(recipe), 1e-4);
  EXPECT_FALSE(recipe_fields().set_text(recipe, "learning_rate", "").has_value());
  EXPECT_EQ(learning_rate_of(recipe), 2e-5);
}

TEST(Recipe, StepsFollowEpochsUnlessMaxStepsIsGiven) {
  Recipe recipe;
  EXPECT_EQ(total_steps_of(recipe, 7), 21);
  recipe.schedule.num_epochs = 1.1;
  EXPECT_EQ(total_steps_of(recipe, 10), 11);
  recipe.schedule.num_epochs = 0.01;
  EXPECT_EQ(total_steps_of(recipe, 10), 1);
  recipe.schedule.num_epochs = 1.5;
  EXPECT_EQ(total_steps_of(recipe, 3), 5);
  recipe.schedule.max_steps = 1000000;
  EXPECT_EQ(total_steps_of(recipe, 3), 1000000);
  EXPECT_FALSE(num_epochs_of(recipe).has_value());
}

TEST(Recipe, CaseA08PathsBecomeAbsoluteAndStayWhole) {
  Recipe recipe;
  recipe.model.model = "models/modèle 模型/";
  recipe.model.adapter = "/elsewhere/a";
  recipe.data.data = {"../it's #1.jsonl", "b,c.jsonl"};
  recipe.data.chat_template = "chatml";
  const Recipe absolute = with_absolute_paths(recipe, "/data/ann/jobs");
  EXPECT_EQ(absolute.model.model, "/data/ann/jobs/models/modèle 模型/");
  EXPECT_EQ(absolute.model.adapter, "/elsewhere/a");
  EXPECT_THAT(absolute.data.data, ElementsAre("/data/ann/it's #1.jsonl", "/data/ann/jobs/b,c.jsonl"));
  EXPECT_EQ(absolute.data.chat_template, "chatml");
  EXPECT_EQ(absolute.checkpoint.out, "");
  recipe.data.chat_template = "mine.jinja";
  EXPECT_EQ(with_absolute_paths(recipe, "/w").data.chat_template, "/w/mine.jinja");
}

TEST(Recipe, HelpShowsAFlagForEachSetting) {
  const std::string help = recipe_fields().help_text();
  EXPECT_THAT(help, HasSubstr("  --learning-rate X\n"));
  EXPECT_THAT(help, HasSubstr("default: 2e-4 for lora, 2e-5 for full)"));
  EXPECT_THAT(help, HasSubstr("  --lr-scheduler cosine|linear|constant|wsd\n"));
}

}  // namespace
}  // namespace anneal::engine
