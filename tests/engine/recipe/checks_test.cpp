#include "engine/recipe/checks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace anneal::engine {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Recipe good() {
  Recipe recipe;
  recipe.model.model = "models/m";
  recipe.data.data = {"d.jsonl"};
  recipe.checkpoint.out = "runs/1";
  return recipe;
}

template <class Findings>
std::vector<std::string> sentences(const Findings& findings) {
  std::vector<std::string> all;
  for (const auto& finding : findings) all.push_back(to_sentence(finding));
  return all;
}

TEST(Checks, AGoodRecipeHasNothingToSay) {
  EXPECT_THAT(sentences(check(good())), IsEmpty());
  EXPECT_THAT(sentences(notices(good())), IsEmpty());
}

TEST(Checks, SaysWhatIsMissing) {
  EXPECT_THAT(sentences(check(Recipe{})),
              ElementsAre("model: no model is given. Name a model folder or a GGUF file.",
                          "data: no data is given. Name a file or folder to learn from.",
                          "out: no folder for the run is given. Name a folder that does not hold a run yet."));
  EXPECT_EQ(check(Recipe{}, CheckFor::kPlan).size(), 2u);
}

TEST(Checks, FindsValuesThatCodeSetOutOfRange) {
  Recipe recipe = good();
  recipe.lora.lora_rank = 0;
  recipe.optimizer.adam_beta1 = 1;
  EXPECT_THAT(sentences(check(recipe)),
              ElementsAre("lora_rank: 0 is out of range. Give a whole number, from 1 to 65536.",
                          "adam_beta1: 1 is out of range. Give a number, from 0, below 1."));
}

TEST(Checks, RefusesContradictions) {
  Recipe recipe = good();
  recipe.evaluation.early_stopping_patience = 3;
  recipe.checkpoint.out = "models/x/../m/";
  recipe.lora.target_modules = {"all-linear", "q_proj"};
  recipe.device.device = "cuda:1,1";
  EXPECT_THAT(
      sentences(check(recipe)),
      ElementsAre("out: is the folder of model. Name another folder.",
                  "early_stopping_patience: there is nothing to measure on. Give eval_data or an eval_fraction "
                  "such as 0.05, or set it to 0.",
                  "target_modules: holds all-linear and other names. Give all-linear alone, or only names.",
                  "device: \"cuda:1,1\" is not a device. Use auto, cpu, cuda or cards by number such as cuda:0,1."));
  recipe = good();
  recipe.method.method = Method::kFull;
  recipe.model.adapter = "a";
  EXPECT_THAT(sentences(check(recipe)),
              ElementsAre("adapter: an adapter goes on with lora, and method is full. Set method "
                          "to lora or leave the adapter out."));
  recipe = good();
  recipe.lora.target_modules.clear();
  EXPECT_THAT(sentences(check(recipe)),
              ElementsAre("target_modules: is empty, so nothing would be learned. Name modules, or "
                          "use all-linear."));
}

TEST(Checks, AnEvaluationSetMakesEarlyStoppingLegal) {
  Recipe recipe = good();
  recipe.evaluation.early_stopping_patience = 3;
  recipe.evaluation.eval_fraction = 0.1;
  EXPECT_THAT(sentences(check(recipe)), IsEmpty());
  recipe.evaluation.eval_fraction = 0;
  recipe.data.eval_data = {"e.jsonl"};
  EXPECT_THAT(sentences(check(recipe)), IsEmpty());
}

TEST(Checks, NoticesWhatIsLegalButOdd) {
  Recipe recipe = good();
  recipe.schedule.max_steps = 10;
  recipe.schedule.num_epochs = 3;
  recipe.schedule.warmup_steps = 10;
  recipe.schedule.warmup_ratio = 0.1;
  recipe.optimizer.learning_rate = 1e30;
  EXPECT_THAT(sentences(check(recipe)), IsEmpty());
  EXPECT_THAT(
      sentences(notices(recipe)),
      ElementsAre("num_epochs: is left aside, as max_steps is given. Give only one of them.",
                  "warmup_ratio: is left aside, as warmup_steps is given. Give only one of them.",
                  "warmup_steps: 10 steps of warm-up in a run of 10: learning_rate is never reached. A few percent "
                  "of the steps are usual.",
                  "learning_rate: 1e+30 is unusually large. 2e-4 is usual for lora, 2e-5 for full."));
  recipe = good();
  recipe.data.data = {"d.jsonl", "./d.jsonl"};
  recipe.data.eval_data = {"d.jsonl"};
  recipe.evaluation.eval_fraction = 0.1;
  EXPECT_THAT(
      sentences(notices(recipe)),
      ElementsAre("data: ./d.jsonl is given twice, so its rows count double.",
                  "eval_data: d.jsonl is learned too, so its loss says little. Measure on rows that are not in data.",
                  "eval_fraction: is left aside, as eval_data is given. Give only one of them."));
  recipe = good();
  recipe.evaluation.eval_every_steps = 5;
  recipe.optimizer.learning_rate = 0;
  EXPECT_THAT(sentences(notices(recipe)),
              ElementsAre("learning_rate: is 0, so nothing is learned. 2e-4 is usual for lora.",
                          "eval_every_steps: has no effect, as there is nothing to measure on. Give eval_data or an "
                          "eval_fraction such as 0.05."));
}

TEST(Checks, NoticesLoraSettingsWithMethodFull) {
  Recipe recipe = good();
  recipe.method.method = Method::kFull;
  recipe.lora.lora_rank = 8;
  recipe.lora.lora_alpha = 32;  // the default: nobody chose it
  EXPECT_THAT(sentences(notices(recipe)),
              ElementsAre("lora_rank: has no effect with method full. It belongs to method lora."));
}

TEST(Checks, ReadsDevices) {
  EXPECT_EQ(parse_device("auto")->kind, "auto");
  EXPECT_TRUE(parse_device("cuda")->cards.empty());
  EXPECT_THAT(parse_device("cuda:0,11")->cards, ElementsAre(0, 11));
  for (const char* wrong :
       {"", "gpu", "CPU", "cuda:", "cuda:0,", "cuda:-1", "cuda:a", "cuda:0;1", "cuda:99999999999"}) {
    EXPECT_FALSE(parse_device(wrong).has_value()) << wrong;
  }
}

}  // namespace
}  // namespace anneal::engine
