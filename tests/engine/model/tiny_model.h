#pragma once
// A random two-layer model, small enough for finite differences.

#include <memory>

#include "engine/architecture/config_reader.h"
#include "engine/model/plan.h"
#include "engine/model/weights.h"
#include "kernels/core/philox.h"

namespace anneal::engine {

struct TinyOptions {
  int64_t vocabulary = 37;
  bool is_tied = true;
  bool has_biases = false;
  int64_t layers = 2;
  int64_t hidden = 16;
};

inline Architecture tiny_architecture(const TinyOptions& options = {}) {
  const Json config{{"architectures", {"LlamaForCausalLM"}},
                    {"model_type", "llama"},
                    {"vocab_size", options.vocabulary},
                    {"hidden_size", options.hidden},
                    {"intermediate_size", 24},
                    {"num_hidden_layers", options.layers},
                    {"num_attention_heads", 4},
                    {"num_key_value_heads", 2},
                    {"max_position_embeddings", 64},
                    {"rms_norm_eps", 1e-5},
                    {"rope_theta", 10000.0},
                    {"tie_word_embeddings", options.is_tied},
                    {"attention_bias", options.has_biases},
                    {"mlp_bias", options.has_biases},
                    {"hidden_act", "silu"},
                    {"bos_token_id", 1},
                    {"eos_token_id", 2}};
  return read_config(config, "tiny").architecture;
}

inline double value_at(const Tensor& tensor, int64_t i) {
  return tensor.dtype() == DType::kF64 ? tensor.as<double>()[i] : double(tensor.as<float>()[i]);
}
inline void set_value(const Tensor& tensor, int64_t i, double value) {
  if (tensor.dtype() == DType::kF64) {
    tensor.as<double>()[i] = value;
  } else {
    tensor.as<float>()[i] = static_cast<float>(value);
  }
}

// Normal weights of a size that makes every part matter; adapters' B too, so that their A has a gradient.
inline void fill_randomly(Model& model, uint64_t seed = 11) {
  uint64_t index = 0;
  for (const Parameter& parameter : model.parameters()) {
    RandomStream random(seed, RandomUse::kModelInit, index++);
    for (int64_t i = 0; i < parameter.elements(); ++i) {
      // FP32 values, so that a run in double starts from the same model.
      const auto value =
          static_cast<float>(random.next_normal() * 0.3 +
                             (parameter.is_norm && parameter.name.find("norm") != std::string::npos ? 1.0 : 0.0));
      set_value(parameter.value, i, value);
      if (parameter.copy.exists())
        set_value(parameter.copy, i, static_cast<double>(static_cast<float>(BFloat16(value))));
    }
  }
  model.prepare();
}

inline std::vector<int32_t> tokens(int64_t count, uint64_t seed, int64_t vocabulary = 37) {
  RandomStream random(seed, RandomUse::kSampling);
  std::vector<int32_t> ids;
  for (int64_t i = 0; i < count; ++i)
    ids.push_back(static_cast<int32_t>(random.next_below(static_cast<uint64_t>(vocabulary))));
  return ids;
}

// A document's labels: all but every third place.
inline std::vector<int32_t> some_labels(const std::vector<int32_t>& ids) {
  std::vector<int32_t> labels = ids;
  for (std::size_t i = 0; i < labels.size(); i += 3) labels[i] = kNoTarget;
  return labels;
}
inline int64_t label_count(const std::vector<std::vector<int32_t>>& rows) {
  int64_t count = 0;
  for (const auto& row : rows) {
    const auto labels = some_labels(row);
    for (std::size_t i = 1; i < labels.size(); ++i) count += labels[i] != kNoTarget;
  }
  return count;
}
// Adds the gradients of these rows, as a part of a step of `step_labels` label tokens. Returns their part of the loss.
inline double add_gradients(Model& model, const std::vector<std::vector<int32_t>>& rows, int64_t step_labels,
                            int64_t place = 0, RandomKey key = {}) {
  model.batch_memory().clear();
  for (const auto& row : rows) {
    const auto labels = some_labels(row);
    model.batch_memory().add({row, labels}, 1.0 / double(step_labels), place + model.batch_memory().tokens());
  }
  return model.forward_backward(model.batch_memory().view(64), key) / double(step_labels);
}

}  // namespace anneal::engine
