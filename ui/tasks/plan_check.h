#pragma once
// What a recipe comes to: memory by label, steps, time, disk, and what is wrong with it. The same dry run that Start
// does.

#include <QObject>
#include <optional>
#include <vector>

#include "engine/recipe/recipe.h"
#include "engine/training/events.h"
#include "ui/tasks/background.h"

namespace anneal::ui {

struct PlanResult {
  std::optional<engine::PlanEvent> plan;  // with its problems
  std::vector<Problem> problems;          // of the recipe, the model or the data: then there is no plan
};

class PlanCheck : public QObject {
  Q_OBJECT
 public:
  void check(const engine::Recipe& recipe);
  void stop();

 signals:
  void checked(const PlanResult& result);

 private:
  Background planner_;
};

}  // namespace anneal::ui
