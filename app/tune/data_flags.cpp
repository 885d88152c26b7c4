#include "app/tune/data_flags.h"

#include <algorithm>
#include <array>

namespace anneal::tune {
namespace {

constexpr std::array kKeys = {"max_sequence_length", "train_on", "too_long",          "bad_rows",
                              "chat_template",       "columns",  "consecutive_turns", "empty_answers",
                              "move_think_markup"};

std::string flag_for(const char* key) {
  std::string flag = std::string("--") + key;
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

}  // namespace

const std::set<std::string>& data_flags() {
  static const std::set<std::string> kFlags = [] {
    std::set<std::string> flags;
    for (const char* key : kKeys) flags.insert(flag_for(key));
    return flags;
  }();
  return kFlags;
}

engine::DataOptions data_options(const CommandLine& line) {
  engine::Recipe recipe;
  recipe.data.data = line.list("--data");
  if (recipe.data.data.empty()) throw UsageError("--data is missing. See --help.");
  std::vector<Problem> problems;
  for (const char* key : kKeys) {
    const auto value = line.value(flag_for(key));
    if (!value) continue;
    if (auto problem = engine::recipe_fields().set_text(recipe, key, *value)) problems.push_back(*std::move(problem));
  }
  if (!problems.empty()) throw ProblemError(std::move(problems));
  return recipe.data;
}

}  // namespace anneal::tune
