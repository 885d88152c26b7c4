#pragma once
// What Fix it does about a problem that keeps a run from starting. Pure: a recipe in, a recipe out.

#include <QString>
#include <optional>

#include "engine/recipe/recipe.h"

namespace anneal::ui {

enum class FixPlace { kRecipe, kModels, kData };

struct Fix {
  QString label;                       // what the button says
  FixPlace place = FixPlace::kRecipe;  // kModels, kData: opens that page, where a person has to choose
  engine::Recipe recipe;               // for kRecipe: the recipe with the remedy in it
};

// Empty where only the person can know.
std::optional<Fix> fix_for(const Problem& problem, const engine::Recipe& recipe);

}  // namespace anneal::ui
