#pragma once
// Makes a small model from a seed: a complete folder with random weights, for tests, first steps and measurements.

#include <optional>
#include <string>

#include "kernels/core/fields.h"

namespace anneal::engine {

struct NewModelOptions {
  std::string architecture = "llama";
  std::optional<int64_t> vocab_size = {};  // unset: the tokenizer's, made a multiple of 16
  int64_t hidden_size = 64;
  int64_t intermediate_size = 172;
  int64_t num_hidden_layers = 2;
  int64_t num_attention_heads = 4;
  int64_t num_key_value_heads = 2;
  std::optional<int64_t> head_dim = {};
  int64_t max_position_embeddings = 256;
  bool tie_word_embeddings = true;
  bool chat = true;
  std::string dtype = "float32";
  int64_t seed = 1;
};

const FieldList<NewModelOptions>& new_model_fields();

// Writes config.json, model.safetensors, generation_config.json, tokenizer.json and tokenizer_config.json. Weights are
// normal with deviation 0.02, norms 1, biases 0; each depends on the seed and its own name alone. The folder is made;
// one that holds anything is refused. Throws Error(kInput), DiskFull.
void write_new_model(const std::string& folder, const NewModelOptions& options);

}  // namespace anneal::engine
