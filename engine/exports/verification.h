#pragma once
// Compares two models on the same tokens.

#include <vector>

#include "engine/exports/export.h"
#include "engine/model/plan.h"

namespace anneal::engine {

struct ProbeLogits {
  std::vector<float> values;  // (positions, vocabulary)
  int64_t positions = 0;
  int64_t vocabulary = 0;
};

// How a model is built so that it can be probed.
BuildOptions probe_build(const Architecture& architecture, const TrainingPlan& plan);
// FP32 logits of a fixed pseudo-random sequence of this vocabulary.
ProbeLogits probe(Model& model);

// `tolerance` bounds the difference of logits relative to the largest of them; at least `share` of the positions must
// have the same first choice.
Verification compare(const ProbeLogits& trained, const ProbeLogits& written, double tolerance, double share);

}  // namespace anneal::engine
