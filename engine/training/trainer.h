#pragma once
// One optimizer step after another on a model in memory. Knows no files, no clock and no person: those are the
// session's.

#include <atomic>
#include <functional>

#include "datasets/loading/loader.h"
#include "engine/model/plan.h"
#include "engine/training/optimizer_step.h"

namespace anneal::engine {

struct StepResult {
  double loss = 0;  // Σ row losses / label tokens of the step
  double gradient_norm = 0;
};

// Thrown before a weight is touched.
class NonFiniteStep : public Error {
 public:
  NonFiniteStep(int64_t step, const std::string& sentence) : Error(ErrorKind::kInput, sentence), step_(step) {}
  int64_t step() const { return step_; }

 private:
  int64_t step_;
};

class Trainer {
 public:
  Trainer(Model& model, uint64_t seed) : model_(model), seed_(seed) {}

  // Gradients of all micro-batches, then the update. `step` counts from 1. Between micro-batches `may_go_on` is asked:
  // false leaves the weights as they were and returns nothing; the loader is to go back to this step.
  std::optional<StepResult> step(const datasets::LoadedStep& data, const UpdateOptions& options, int64_t step,
                                 const std::function<bool()>& may_go_on = {});

  // For tests of what must not happen: called with the finished gradients.
  std::function<void(Model&, int64_t step)> before_update;

 private:
  Model& model_;
  uint64_t seed_;
};

// Packs one micro-batch into the model's memory. `place` counts the tokens of the step before it.
BatchView fill_batch(Model& model, const datasets::MicroBatch& rows, double loss_scale, int64_t place);

}  // namespace anneal::engine
