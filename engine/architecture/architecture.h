#pragma once
// Everything that says what a decoder-only model computes, and what its parts are called in files. A plain value: made
// by config_reader.h from a model's own config.json, copied freely, changed by whoever trains (untied, more tokens).

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/architecture/rope.h"
#include "kernels/core/dtype.h"
#include "kernels/ops/gated_activation/gated_activation.h"

namespace anneal::engine {

// Modules as files name them, without ".weight" or ".bias". A product of several outputs (q/k/v, gate/up) is one matrix
// here and several tensors in the file: each is a slice of rows, in the order in which they stand below.
struct LayerNames {
  std::string input_norm;
  std::string q_proj, k_proj, v_proj, o_proj;
  std::string post_attention_norm;
  std::string gate_proj, up_proj, down_proj;
};

struct ModuleNames {
  std::string embedding;
  LayerNames layer;  // with "{layer}" where the number stands
  std::string final_norm;
  std::string head;
  std::vector<std::string> ignored;  // tensors of old files that hold nothing trained; "{layer}" is any number

  LayerNames of_layer(int64_t layer) const;
};

struct Architecture {
  std::string family;      // "llama": the name of its file in resources/architectures
  std::string class_name;  // "LlamaForCausalLM"

  int64_t vocab_size = 0;
  int64_t hidden_size = 0;
  int64_t intermediate_size = 0;
  int64_t layers = 0;
  int64_t heads = 0;
  int64_t kv_heads = 0;
  int64_t head_dim = 0;  // even; heads · head_dim may differ from hidden_size
  int64_t max_positions = 0;
  double norm_epsilon = 0;
  double initializer_range = 0.02;
  Activation activation = Activation::kSilu;
  RopeSettings rope;
  std::vector<int64_t> windows;  // per layer: 0 the whole document, w the last w positions with the own one counted
  bool qkv_bias = false;
  bool o_bias = false;
  bool mlp_bias = false;
  bool tie_word_embeddings = false;  // the head is the embedding

  std::optional<int64_t> bos_token_id;
  std::vector<int64_t> eos_token_ids;   // all of them end a text
  std::optional<int64_t> pad_token_id;  // may be an eos too, so nothing may be masked by it
  std::optional<DType> dtype;           // as the config states it; the weights may say otherwise

  ModuleNames names;

  int64_t query_columns() const { return heads * head_dim; }
  int64_t key_columns() const { return kv_heads * head_dim; }  // and value columns
};

// One tensor of the model's files.
struct ModelTensor {
  std::string name;
  std::vector<int64_t> shape;
};

// Every tensor that is trained, in the order of the computation, each once: no head where it is tied. What is read is
// checked against this list, and what is written is this list.
std::vector<ModelTensor> tensors_of(const Architecture& architecture);
int64_t parameter_count(const Architecture& architecture);

// head_dim / 2 values; see inverse_frequencies.
std::vector<float> rope_inverse_frequencies(const Architecture& architecture);

// "float32" and the like, as config.json states element types.
std::string_view config_name_of(DType dtype);
std::optional<DType> dtype_from_config_name(std::string_view name);

}  // namespace anneal::engine
