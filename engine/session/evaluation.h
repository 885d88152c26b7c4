#pragma once
// The loss of a model on a data set: the sum over label tokens divided by their number, however it is cut.

#include <functional>

#include "datasets/cache/token_cache.h"
#include "datasets/loading/epoch_plan.h"
#include "engine/model/model.h"

namespace anneal::engine {

struct EvaluationResult {
  double loss = 0;  // per label token; NaN if the model gives one
  int64_t label_tokens = 0;
  int64_t tokens = 0;
  int64_t rows = 0;
};

// Packed as training is. `may_go_on` is asked between micro-batches; false gives nothing back.
std::optional<EvaluationResult> evaluate(Model& model, const datasets::TokenCache& data,
                                         const datasets::PackingOptions& packing,
                                         const std::function<bool()>& may_go_on = {});

}  // namespace anneal::engine
