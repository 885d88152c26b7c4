#include "engine/architecture/architecture.h"

#include <array>
#include <utility>

namespace anneal::engine {
namespace {

std::string with_layer(const std::string& pattern, int64_t layer) {
  constexpr std::string_view kPlace = "{layer}";
  const std::size_t at = pattern.find(kPlace);
  if (at == std::string::npos) return pattern;
  return pattern.substr(0, at) + std::to_string(layer) + pattern.substr(at + kPlace.size());
}

constexpr std::array<std::pair<DType, std::string_view>, 4> kConfigNames{
    {{DType::kF32, "float32"}, {DType::kF64, "float64"}, {DType::kF16, "float16"}, {DType::kBF16, "bfloat16"}}};

class TensorList {
 public:
  void norm(const std::string& module, int64_t width) { list.push_back({module + ".weight", {width}}); }
  void matrix(const std::string& module, int64_t rows, int64_t columns, bool has_bias = false) {
    list.push_back({module + ".weight", {rows, columns}});
    if (has_bias) list.push_back({module + ".bias", {rows}});
  }
  std::vector<ModelTensor> list;
};

}  // namespace

LayerNames ModuleNames::of_layer(int64_t number) const {
  LayerNames names;
  for (std::string LayerNames::* member :
       {&LayerNames::input_norm, &LayerNames::q_proj, &LayerNames::k_proj, &LayerNames::v_proj, &LayerNames::o_proj,
        &LayerNames::post_attention_norm, &LayerNames::gate_proj, &LayerNames::up_proj, &LayerNames::down_proj}) {
    names.*member = with_layer(layer.*member, number);
  }
  return names;
}

std::vector<ModelTensor> tensors_of(const Architecture& architecture) {
  const int64_t hidden = architecture.hidden_size;
  const int64_t width = architecture.intermediate_size;
  TensorList tensors;
  tensors.matrix(architecture.names.embedding, architecture.vocab_size, hidden);
  for (int64_t layer = 0; layer < architecture.layers; ++layer) {
    const LayerNames names = architecture.names.of_layer(layer);
    tensors.norm(names.input_norm, hidden);
    tensors.matrix(names.q_proj, architecture.query_columns(), hidden, architecture.qkv_bias);
    tensors.matrix(names.k_proj, architecture.key_columns(), hidden, architecture.qkv_bias);
    tensors.matrix(names.v_proj, architecture.key_columns(), hidden, architecture.qkv_bias);
    tensors.matrix(names.o_proj, hidden, architecture.query_columns(), architecture.o_bias);
    tensors.norm(names.post_attention_norm, hidden);
    tensors.matrix(names.gate_proj, width, hidden, architecture.mlp_bias);
    tensors.matrix(names.up_proj, width, hidden, architecture.mlp_bias);
    tensors.matrix(names.down_proj, hidden, width, architecture.mlp_bias);
  }
  tensors.norm(architecture.names.final_norm, hidden);
  if (!architecture.tie_word_embeddings) tensors.matrix(architecture.names.head, architecture.vocab_size, hidden);
  return std::move(tensors.list);
}

int64_t parameter_count(const Architecture& architecture) {
  int64_t count = 0;
  for (const ModelTensor& tensor : tensors_of(architecture)) {
    int64_t elements = 1;
    for (const int64_t size : tensor.shape) elements *= size;
    count += elements;
  }
  return count;
}

std::vector<float> rope_inverse_frequencies(const Architecture& architecture) {
  return inverse_frequencies(architecture.rope, architecture.head_dim);
}

std::string_view config_name_of(DType dtype) {
  for (const auto& [known, name] : kConfigNames) {
    if (known == dtype) return name;
  }
  return name_of(dtype);
}

std::optional<DType> dtype_from_config_name(std::string_view name) {
  for (const auto& [dtype, known] : kConfigNames) {
    if (known == name) return dtype;
  }
  return std::nullopt;
}

}  // namespace anneal::engine
