#pragma once
// What is wrong or odd in a recipe, as far as the recipe alone tells: no file is opened and no device asked. Window,
// command line and engine show the same sentences.

#include <string>
#include <vector>

#include "engine/recipe/recipe.h"

namespace anneal::engine {

// Legal but odd: shown, and the run goes on. The same three parts as a Problem.
struct Notice {
  std::string path;
  std::string message;
  std::string remedy;
  friend bool operator==(const Notice&, const Notice&) = default;
};
std::string to_sentence(const Notice& notice);

enum class CheckFor { kTraining, kPlan };  // a plan needs no `out`

// What has to be mended before the run may start; empty: nothing.
std::vector<Problem> check(const Recipe& recipe, CheckFor purpose = CheckFor::kTraining);
std::vector<Notice> notices(const Recipe& recipe);

// The parts of `device`: "cuda:0,1" -> {"cuda", {0, 1}}. Empty where the text is none of auto, cpu, cuda, cuda:N,….
struct DeviceChoice {
  std::string kind;
  std::vector<int> cards;  // empty: all that are free
};
std::optional<DeviceChoice> parse_device(const std::string& text);
Problem not_a_device(const std::string& text);

}  // namespace anneal::engine
