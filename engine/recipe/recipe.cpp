#include "engine/recipe/recipe.h"

#include <algorithm>
#include <cmath>

namespace anneal::engine {

double learning_rate_of(const Recipe& recipe) {
  return recipe.optimizer.learning_rate.value_or(recipe.method.method == Method::kLora ? 2e-4 : 2e-5);
}

std::optional<double> num_epochs_of(const Recipe& recipe) {
  if (recipe.schedule.max_steps) return std::nullopt;
  return recipe.schedule.num_epochs.value_or(3);
}

int64_t total_steps_of(const Recipe& recipe, int64_t steps_per_epoch) {
  ensure(steps_per_epoch > 0, "an epoch has no step");
  const std::optional<double> epochs = num_epochs_of(recipe);
  if (!epochs) return *recipe.schedule.max_steps;
  const double steps = *epochs * static_cast<double>(steps_per_epoch);
  // 1.1 * 10 is 11.000000000000002 in double: a rounding error is no twelfth step.
  return std::max<int64_t>(1, static_cast<int64_t>(std::ceil(steps * (1 - 1e-12))));
}

bool has_evaluation(const Recipe& recipe) {
  return !recipe.data.eval_data.empty() || recipe.evaluation.eval_fraction > 0;
}

bool operator==(const Recipe& a, const Recipe& b) { return recipe_fields().to_json(a) == recipe_fields().to_json(b); }

Recipe with_absolute_paths(Recipe recipe, const std::filesystem::path& base) {
  const auto settle = [&](std::string& path) {
    if (!path.empty()) path = (base / path).lexically_normal().string();
  };
  settle(recipe.model.model);
  settle(recipe.model.adapter);
  settle(recipe.checkpoint.out);
  for (std::string& path : recipe.data.data) settle(path);
  for (std::string& path : recipe.data.eval_data) settle(path);
  // A bare word is the name of a shipped template.
  if (recipe.data.chat_template.find_first_of("/.") != std::string::npos) settle(recipe.data.chat_template);
  return recipe;
}

}  // namespace anneal::engine
