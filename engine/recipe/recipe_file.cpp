#include "engine/recipe/recipe_file.h"

#include <cerrno>
#include <cstring>
#include <fstream>

namespace anneal::engine {
namespace {

constexpr const char* kVersionKey = "recipe_version";
constexpr std::uintmax_t kLargestFile = 4 << 20;  // a recipe is a page of text

}  // namespace

std::span<const RecipeMigration> recipe_migrations() {
  return {};  // version 1 is the first
}

Json migrated(Json recipe, std::span<const RecipeMigration> migrations, int64_t current, std::string_view where) {
  if (!recipe.is_object()) throw input_error("{}: is not a recipe. A recipe is a JSON object.", where);
  const auto version = value_or<int64_t>(recipe, kVersionKey, current, where);
  if (version > current) {
    throw input_error("{}: is of recipe version {}, and this program reads versions up to {}. Use a newer Anneal.",
                      where, version, current);
  }
  if (version < 1) throw input_error("{}: \"{}\" is {}. Versions count from 1.", where, kVersionKey, version);
  recipe.erase(kVersionKey);
  for (int64_t from = version; from < current; ++from) {
    for (const RecipeMigration& migration : migrations) {
      if (migration.from == from) migration.apply(recipe);
    }
  }
  return recipe;
}

Json recipe_to_json(const Recipe& recipe) {
  Json json = {{kVersionKey, kRecipeVersion}};
  json.update(recipe_fields().to_json(recipe));
  return json;
}

Recipe recipe_from_json(const Json& json, std::string_view where) {
  Recipe recipe;
  std::vector<Problem> problems =
      recipe_fields().from_json(migrated(json, recipe_migrations(), kRecipeVersion, where), recipe);
  for (Problem& problem : problems) problem.path = fmt::format("{}: {}", where, problem.path);
  if (!problems.empty()) throw ProblemError(std::move(problems));
  return recipe;
}

Recipe load_recipe(const std::filesystem::path& file) {
  const std::string where = printable(file.string(), 500);
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) {
    throw input_error("{}: {}. Check the path.", where, error ? error.message() : "is not a file");
  }
  if (std::filesystem::file_size(file) > kLargestFile) {
    throw input_error("{}: is larger than 4 MB, so it is no recipe. Check the path.", where);
  }
  return recipe_from_json(read_json_file(file.string(), {.depth = 16}), where);
}

void save_recipe(const Recipe& recipe, const std::filesystem::path& file) {
  std::filesystem::path beside = file;
  beside += ".partial";
  {
    std::ofstream out(beside, std::ios::binary | std::ios::trunc);
    out << recipe_to_json(recipe).dump(2) << '\n';
    out.flush();
    if (!out) {
      const std::string reason = std::strerror(errno);
      std::error_code ignored;
      std::filesystem::remove(beside, ignored);
      throw input_error("{}: cannot be written ({}). Choose another place or make room.", printable(file.string(), 500),
                        reason);
    }
  }
  std::error_code error;
  std::filesystem::rename(beside, file, error);
  if (error)
    throw input_error("{}: cannot be written ({}). Choose another place.", printable(file.string(), 500),
                      error.message());
}

}  // namespace anneal::engine
