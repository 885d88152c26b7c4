#pragma once
// Recipes as JSON files: {"recipe_version": 1, "model": "…", "learning_rate": 0.0001, …}. A file without a version is
// taken as written today, so that people may write one by hand. Older versions are brought up to date step by step.

#include <filesystem>
#include <span>
#include <string_view>

#include "engine/recipe/recipe.h"
#include "kernels/core/json.h"

namespace anneal::engine {

inline constexpr int64_t kRecipeVersion = 1;

Json recipe_to_json(const Recipe& recipe);  // with the version; unset values are left out

// `where` names the text in sentences. Throws ProblemError with all that is wrong.
Recipe recipe_from_json(const Json& json, std::string_view where);

Recipe load_recipe(const std::filesystem::path& file);
void save_recipe(const Recipe& recipe, const std::filesystem::path& file);  // beside it first, then renamed

// One step of bringing a file up to date: changes the keys of version `from` into those of from + 1.
struct RecipeMigration {
  int64_t from;
  void (*apply)(Json& recipe);
};
std::span<const RecipeMigration> recipe_migrations();

// Applies what leads from the file's version to `current` and takes the version out. Throws Error(kInput) for a version
// that is newer than `current`, or that is none.
Json migrated(Json recipe, std::span<const RecipeMigration> migrations, int64_t current, std::string_view where);

}  // namespace anneal::engine
