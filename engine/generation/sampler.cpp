#include "engine/generation/sampler.h"

#include <algorithm>
#include <cmath>

namespace anneal::engine {

int32_t Sampler::next(std::span<const float> logits, std::span<const int32_t> seen) {
  candidates_.resize(logits.size());
  for (std::size_t i = 0; i < logits.size(); ++i) candidates_[i] = {static_cast<int32_t>(i), double(logits[i])};
  if (options_.repetition_penalty != 1) {
    for (const int32_t id : seen) {
      // From the logit itself, so that a token seen twice is punished once.
      const double logit = double(logits[static_cast<std::size_t>(id)]);
      candidates_[static_cast<std::size_t>(id)].logit =
          logit > 0 ? logit / options_.repetition_penalty : logit * options_.repetition_penalty;
    }
  }
  const auto more_likely = [](const Candidate& a, const Candidate& b) {
    return a.logit > b.logit || (a.logit == b.logit && a.id < b.id);
  };
  if (options_.temperature <= 0) return std::min_element(candidates_.begin(), candidates_.end(), more_likely)->id;

  const auto all = candidates_.size();
  auto kept = options_.top_k > 0 ? std::min(all, static_cast<std::size_t>(options_.top_k)) : all;
  std::partial_sort(candidates_.begin(), candidates_.begin() + static_cast<std::ptrdiff_t>(kept), candidates_.end(),
                    more_likely);
  const double largest = candidates_[0].logit;
  double total = 0;
  for (std::size_t i = 0; i < kept; ++i) {
    candidates_[i].logit = std::exp((candidates_[i].logit - largest) / options_.temperature);
    total += candidates_[i].logit;
  }
  if (options_.top_p < 1) {
    double sum = 0;
    std::size_t nucleus = 0;
    while (nucleus < kept && sum < options_.top_p * total) sum += candidates_[nucleus++].logit;
    kept = std::max<std::size_t>(nucleus, 1);
  }
  while (kept > 1 && candidates_[kept - 1].logit < options_.min_p) --kept;  // the most likely one's weight is 1
  total = 0;
  for (std::size_t i = 0; i < kept; ++i) total += candidates_[i].logit;
  double point = random_.next_uniform() * total;
  for (std::size_t i = 0; i + 1 < kept; ++i) {
    point -= candidates_[i].logit;
    if (point < 0) return candidates_[i].id;
  }
  return candidates_[kept - 1].id;
}

}  // namespace anneal::engine
