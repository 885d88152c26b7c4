#include "ui/recipe/fixes.h"

#include <QObject>
#include <algorithm>

namespace anneal::ui {
namespace {

// In the order of how little the result changes.
std::optional<Fix> fix_memory(engine::Recipe recipe) {
  if (recipe.memory.recompute != engine::Recompute::kAuto) {
    recipe.memory.recompute = engine::Recompute::kAuto;
    return Fix{.label = QObject::tr("Recompute what is needed"), .recipe = recipe};
  }
  if (recipe.method.method == engine::Method::kFull) {
    recipe.method.method = engine::Method::kLora;
    return Fix{.label = QObject::tr("Use LoRA"), .recipe = recipe};
  }
  const int64_t length = recipe.data.max_sequence_length.value_or(2048);
  if (length > 64) {
    recipe.data.max_sequence_length = length / 2;
    return Fix{.label = QObject::tr("Halve the longest sample"), .recipe = recipe};
  }
  return std::nullopt;
}

}  // namespace

std::optional<Fix> fix_for(const Problem& problem, const engine::Recipe& recipe) {
  const std::string& path = problem.path;
  if (path == "model" || recipe.model.model.empty())
    return Fix{.label = QObject::tr("Choose a model"), .place = FixPlace::kModels, .recipe = recipe};
  if (path == "data" || recipe.data.data.empty())
    return Fix{.label = QObject::tr("Choose data"), .place = FixPlace::kData, .recipe = recipe};
  if (path == "memory") return fix_memory(recipe);
  if (path == "out") {
    engine::Recipe next = recipe;
    next.checkpoint.out.clear();  // the draft proposes another
    return Fix{.label = QObject::tr("Use another run folder"), .recipe = next};
  }
  const auto& fields = engine::recipe_fields();
  if (fields.find(path) == nullptr) return std::nullopt;
  engine::Recipe next = recipe;
  fields.set(next, path, fields.get(engine::Recipe(), path));
  if (next == recipe) return std::nullopt;
  return Fix{.label = QObject::tr("Reset %1").arg(QString::fromStdString(path)), .recipe = next};
}

}  // namespace anneal::ui
