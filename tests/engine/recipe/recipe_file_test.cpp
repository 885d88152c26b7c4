#include "engine/recipe/recipe_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/temporary_folder.h"

namespace anneal::engine {
namespace {

using ::testing::HasSubstr;

Recipe full_recipe() {
  Recipe recipe;
  recipe.model.model = "m";
  recipe.data = {.data = {"a.jsonl", "b, c.jsonl"}, .columns = {{"prompt", "frage"}}, .max_sequence_length = 512};
  recipe.optimizer.learning_rate = 1e-4;
  recipe.schedule.max_steps = 20;
  recipe.lora.target_modules = {"q_proj", "v_proj"};
  recipe.checkpoint.out = "run";
  return recipe;
}

template <class Function>
std::string sentence_of(Function&& function) {
  try {
    function();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    return error.what();
  }
  return "";
}

TEST(RecipeFile, ReadsBackWhatItWrote) {
  const tests::TemporaryFolder folder;
  const auto file = folder.path() / "r.json";
  save_recipe(full_recipe(), file);
  EXPECT_EQ(load_recipe(file), full_recipe());
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "r.json.partial"));
  save_recipe(Recipe{}, file);  // over the old one
  EXPECT_EQ(load_recipe(file), Recipe{});
}

TEST(RecipeFile, TakesAFileWrittenByHand) {
  const tests::TemporaryFolder folder;
  const Recipe recipe =
      load_recipe(folder.write("r.json", "\xEF\xBB\xBF{\"model\": \"m\", \"data\": \"d.jsonl\", \"num_epochs\": 2}"));
  EXPECT_EQ(recipe.data.data, std::vector<std::string>{"d.jsonl"});
  EXPECT_EQ(recipe.schedule.num_epochs, 2.0);
  EXPECT_FALSE(recipe.optimizer.learning_rate.has_value());
}

TEST(RecipeFile, CaseA05NamesFileAndPlaceOfEveryFault) {
  const tests::TemporaryFolder folder;
  const std::string file =
      folder.write("r.json", R"({"lora_rank": 0, "learnig_rate": 1, "use_dora": true, "seed": 7})");
  EXPECT_EQ(sentence_of([&] { load_recipe(file); }),
            file + ": lora_rank: 0 is out of range. Give a whole number, from 1 to 65536.\n" + file +
                ": learnig_rate: there is no such setting. Did you mean learning_rate?\n" + file +
                ": use_dora: is not available in this version. Leave it out; there are lora_rank, lora_alpha, "
                "lora_dropout, use_rslora, target_modules.");
  EXPECT_THAT(sentence_of([&] { load_recipe(folder.write("s.json", "{\"seed\": 1,\n \"seed\": 2}")); }),
              ::testing::ContainsRegex("s.json:2:[0-9]+: key \"seed\" stands twice"));
}

TEST(RecipeFile, RefusesWhatIsNoRecipe) {
  const tests::TemporaryFolder folder;
  EXPECT_THAT(sentence_of([&] { load_recipe(folder.path() / "none.json"); }), HasSubstr("none.json: "));
  EXPECT_THAT(sentence_of([&] { load_recipe(folder.path()); }), HasSubstr("is not a file"));
  EXPECT_THAT(sentence_of([&] { load_recipe(folder.write("a.json", "[1]")); }), HasSubstr("is not a recipe"));
  EXPECT_THAT(sentence_of([&] { load_recipe(folder.write("b.json", std::string(5 << 20, ' '))); }),
              HasSubstr("larger than 4 MB"));
  EXPECT_THAT(sentence_of([&] { load_recipe(folder.write("c.json", std::string(100000, '['))); }),
              HasSubstr("nested too deeply"));
}

TEST(RecipeFile, RefusesANewerVersion) {
  const tests::TemporaryFolder folder;
  const std::string file = folder.write("r.json", R"({"recipe_version": 2, "shiny": 1})");
  EXPECT_EQ(sentence_of([&] { load_recipe(file); }),
            file + ": is of recipe version 2, and this program reads versions up to 1. Use a newer Anneal.");
  EXPECT_THAT(sentence_of([&] { load_recipe(folder.write("s.json", R"({"recipe_version": 0})")); }),
              HasSubstr("count from 1"));
  EXPECT_THAT(sentence_of([&] { load_recipe(folder.write("t.json", R"({"recipe_version": "1"})")); }),
              HasSubstr("a whole number"));
}

// A history of three versions: 1 -> 2 renames a key, 2 -> 3 turns a switch into a choice.
TEST(RecipeFile, BringsOldVersionsUpToDateStepByStep) {
  const RecipeMigration history[] = {{1,
                                      [](Json& recipe) {
                                        if (recipe.contains("rate")) recipe["learning_rate"] = recipe["rate"];
                                        recipe.erase("rate");
                                      }},
                                     {2, [](Json& recipe) {
                                        if (recipe.contains("constant"))
                                          recipe["lr_scheduler"] = recipe["constant"] == true ? "constant" : "linear";
                                        recipe.erase("constant");
                                      }}};
  const auto at = [&](const char* text) { return to_text(migrated(parse_json(text, "r"), history, 3, "r")); };
  EXPECT_EQ(at(R"({"recipe_version":1,"rate":0.1,"constant":true})"),
            R"({"learning_rate":0.1,"lr_scheduler":"constant"})");
  EXPECT_EQ(at(R"({"recipe_version":2,"learning_rate":0.1,"constant":false})"),
            R"({"learning_rate":0.1,"lr_scheduler":"linear"})");
  EXPECT_EQ(at(R"({"recipe_version":3,"rate":1})"), R"({"rate":1})");  // today's reader refuses it by name
  EXPECT_EQ(at(R"({"rate":1})"), R"({"rate":1})");                     // without a version: today's
  EXPECT_THAT(sentence_of([&] { at(R"({"recipe_version":4})"); }), HasSubstr("versions up to 3"));
}

TEST(RecipeFile, SavingSaysWhyItCannot) {
  const tests::TemporaryFolder folder;
  EXPECT_THAT(sentence_of([&] { save_recipe(Recipe{}, folder.path() / "no" / "r.json"); }),
              HasSubstr("cannot be written (No such file or directory)"));
}

}  // namespace
}  // namespace anneal::engine
