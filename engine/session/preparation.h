#pragma once
// Everything that is decided and checked before the first step: model, data, precision, memory, schedule. Nothing is
// written but caches. What is wrong is collected, so that a person sees all of it at once.

#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "datasets/loading/loader.h"
#include "engine/adapters/adapter_config.h"
#include "engine/architecture/model_folder.h"
#include "engine/model/plan.h"
#include "engine/recipe/learning_rate.h"
#include "engine/recipe/recipe.h"
#include "engine/session/data_preparation.h"
#include "engine/session/product_rate.h"
#include "engine/session/row_encoding.h"
#include "engine/training/events.h"

namespace anneal::engine {

struct Preparation {
  Recipe recipe;
  ModelDescription description;
  RowEncoding encoding;
  std::optional<datasets::TokenCache> train;
  std::optional<datasets::TokenCache> eval;
  std::string data_key;  // changes with the data and how it is read
  datasets::PackingOptions packing;
  datasets::PackingOptions eval_packing;
  int64_t accumulation = 1;
  std::unique_ptr<Backend> backend;
  AdapterConfig adapter;  // with adapters: what they are
  BuildOptions build;
  ModelPlan plan;
  LearningRateSchedule schedule;
  double learning_rate = 0;
  int64_t total_steps = 0;
  double product_rate = 0;  // operations per second of products, measured now
  StepWork work;            // operations of a step
  PlanEvent event;
};

struct PreparationOptions {
  std::filesystem::path home;                 // caches
  bool checks_out = true;                     // a plan alone needs no folder
  bool may_cut_steps = true;                  // false for a run that goes on: its micro-batches stay as they were
  bool measures = true;                       // the product rate; false in tests that count on nothing
  std::function<bool()> is_stop_wanted = {};  // asked now and then while data are read
};

// The person stopped before the first step; there is nothing to keep but caches.
struct PreparationStopped : std::exception {
  const char* what() const noexcept override { return "stopped before the first step"; }
};

// Throws ProblemError with all that is wrong, Error for what is not the person's to mend, or PreparationStopped.
Preparation prepare(Recipe recipe, const PreparationOptions& options, const EventSink& sink);

}  // namespace anneal::engine
