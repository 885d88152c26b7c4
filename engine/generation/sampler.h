#pragma once
// From logits to the next token.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "kernels/core/philox.h"

namespace anneal::engine {

struct SamplingOptions {
  double temperature = 0;         // 0: greedy
  int64_t top_k = 0;              // 0: all
  double top_p = 1;               // nucleus: the most likely tokens that together reach this probability
  double min_p = 0;               // tokens of at least this share of the most likely one's probability
  double repetition_penalty = 1;  // logits of tokens that were seen are divided by it where positive, else multiplied
  uint64_t seed = 0;
};

// In the order of transformers: penalty, temperature, top-k, top-p, min-p. Not thread-safe; the same seed gives the
// same tokens. Of equal logits the lowest id is taken first.
class Sampler {
 public:
  explicit Sampler(const SamplingOptions& options) : options_(options), random_(options.seed, RandomUse::kSampling) {}
  int32_t next(std::span<const float> logits, std::span<const int32_t> seen);

 private:
  SamplingOptions options_;
  RandomStream random_;
  struct Candidate {
    int32_t id;
    double logit;
  };
  std::vector<Candidate> candidates_;
};

}  // namespace anneal::engine
