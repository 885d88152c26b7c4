#include "engine/exports/verification.h"

#include <algorithm>
#include <cmath>

#include "kernels/core/philox.h"

namespace anneal::engine {
namespace {
constexpr int64_t kPositions = 96;
}

BuildOptions probe_build(const Architecture& architecture, const TrainingPlan& plan) {
  const int64_t positions = std::min(kPositions, architecture.max_positions);
  return {.types = ComputeTypes::fp32(),
          .training = plan,
          .max_tokens = positions,
          .max_length = positions,
          .logit_rows = positions};
}

ProbeLogits probe(Model& model) {
  const int64_t positions = model.options().logit_rows;
  const int64_t vocabulary = model.architecture().vocab_size;
  RandomStream random(20, RandomUse::kSampling);
  std::vector<int32_t> ids;
  for (int64_t i = 0; i < positions; ++i)
    ids.push_back(static_cast<int32_t>(random.next_below(static_cast<uint64_t>(vocabulary))));
  model.batch_memory().clear();
  model.batch_memory().add({.ids = ids, .labels = {}}, 0, 0);
  const Tensor logits = model.logits(model.batch_memory().view(positions), 0, positions);
  const float* values = logits.as<float>();
  return {std::vector<float>(values, values + logits.elements()), positions, vocabulary};
}

Verification compare(const ProbeLogits& trained, const ProbeLogits& written, double tolerance, double share) {
  Verification result{.positions = trained.positions};
  double largest = 1;
  bool is_finite = trained.values.size() == written.values.size();
  for (int64_t position = 0; is_finite && position < trained.positions; ++position) {
    const float* a = trained.values.data() + position * trained.vocabulary;
    const float* b = written.values.data() + position * trained.vocabulary;
    for (int64_t i = 0; i < trained.vocabulary; ++i) {
      is_finite = is_finite && std::isfinite(a[i]) && std::isfinite(b[i]);
      result.max_logit_difference = std::max(result.max_logit_difference, std::abs(double(a[i]) - double(b[i])));
      largest = std::max(largest, std::abs(double(a[i])));
    }
    result.same_top1 +=
        std::max_element(a, a + trained.vocabulary) - a == std::max_element(b, b + trained.vocabulary) - b;
  }
  result.pass = is_finite && result.max_logit_difference <= tolerance * largest &&
                double(result.same_top1) >= share * double(result.positions);
  return result;
}

}  // namespace anneal::engine
