#include "ui/tasks/plan_check.h"

#include "engine/session/preparation.h"
#include "kernels/core/home_folder.h"

namespace anneal::ui {
namespace {

PlanResult plan_of(engine::Recipe recipe, const StopFlag& flag) {
  PlanResult result;
  if (!recipe.device.threads) recipe.device.threads = worker_threads();
  try {
    const engine::Preparation prepared = engine::prepare(
        std::move(recipe),
        {.home = home_folder(), .checks_out = false, .is_stop_wanted = [&flag] { return flag.is_set(); }},
        [](const engine::Event&) {});
    result.plan = prepared.event;
    result.problems = prepared.event.problems;
  } catch (const engine::PreparationStopped&) {
    throw WorkStopped();
  } catch (const ProblemError& error) {
    result.problems = error.problems();
  } catch (const Error& error) {
    result.problems.push_back({"", error.what(), ""});
  }
  return result;
}

}  // namespace

void PlanCheck::check(const engine::Recipe& recipe) {
  planner_.run(
      this, [recipe](const StopFlag& flag) { return plan_of(recipe, flag); },
      [this](const PlanResult& result) { emit checked(result); },
      [this](const QString& sentence) {
        emit checked({.plan = std::nullopt, .problems = {{"", sentence.toStdString(), ""}}});
      });
}

void PlanCheck::stop() { planner_.stop(); }

}  // namespace anneal::ui
