#pragma once
// A model that writes: prompt in, tokens out one by one, with a key/value cache. A conversation goes on in the same
// cache: only what is new is computed.

#include <functional>
#include <string>
#include <vector>

#include "engine/generation/sampler.h"
#include "engine/model/model.h"

namespace anneal::engine {

struct GenerationOptions {
  SamplingOptions sampling;
  int64_t max_new_tokens = 256;
  std::vector<int64_t> stop_tokens;
};

struct Generation {
  std::vector<int32_t> ids;      // new ones, without the stop token
  std::string stopped;           // "stop_token", "max_new_tokens", "context", "asked"
  double tokens_per_second = 0;  // of the new tokens, the prompt not counted
};

class Generator {
 public:
  // The model was built with cache_length, logit_rows ≥ 1 and max_tokens as the largest prefill.
  explicit Generator(Model& model) : model_(model) {}

  // `prompt` is the whole sequence so far; what the cache holds of it already is not computed again. `on_token` may end
  // the text by answering false.
  Generation generate(const std::vector<int32_t>& prompt, const GenerationOptions& options,
                      const std::function<bool(int32_t id)>& on_token = {});

  // Adapters on, or the base model alone. What the cache holds is forgotten where this changes something.
  void use_adapters(bool on);

 private:
  std::span<const float> append(std::span<const int32_t> ids);

  Model& model_;
  std::vector<int32_t> cached_;
};

// What a generating model needs.
BuildOptions generation_build(ComputeTypes types, int64_t context, const AdapterOptions& adapters);

}  // namespace anneal::engine
