#pragma once
// From gradients to new weights: the global norm, clipping, AdamW.

#include <string>

#include "engine/model/model.h"

namespace anneal::engine {

// sqrt of the sum of squares of every gradient; not finite if any element is not.
double gradient_norm(Model& model);

// The first parameter whose gradient holds an infinity or NaN; empty if none does. Slow: for the sentence afterwards.
std::string non_finite_gradient(Model& model);

struct UpdateOptions {
  double learning_rate = 0;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
  double weight_decay = 0;
  bool decays_norms = false;  // norms and biases too
  double max_norm = 0;        // 0: no clipping
};

// `step` counts updates from 1. `norm` is gradient_norm(), finite. Clips as torch's clip_grad_norm_: by
// max_norm / (norm + 1e-6) where that is below 1.
void update_parameters(Model& model, const UpdateOptions& options, double norm, int64_t step);

}  // namespace anneal::engine
