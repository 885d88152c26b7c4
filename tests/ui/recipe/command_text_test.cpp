#include "ui/recipe/command_text.h"

#include <gtest/gtest.h>

namespace anneal::ui {
namespace {

TEST(CommandText, NamesWhatDiffersFromTheDefault) {
  engine::Recipe recipe;
  recipe.model.model = "models/a";
  recipe.data.data = {"one.jsonl", "two.jsonl"};
  recipe.lora.lora_rank = 8;
  EXPECT_EQ(command_text(recipe).toStdString(),
            "anneal train \\\n  --model models/a \\\n  --data one.jsonl two.jsonl \\\n  --lora-rank 8");
}

TEST(CommandText, QuotesForTheShell) {
  engine::Recipe recipe;
  recipe.model.model = "it's; rm -rf x";
  EXPECT_EQ(command_text(recipe).toStdString(), "anneal train \\\n  --model 'it'\\''s; rm -rf x'");
}

}  // namespace
}  // namespace anneal::ui
