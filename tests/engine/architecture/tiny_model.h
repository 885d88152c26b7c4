#pragma once
// Model folders for tests: a config of the smallest sizes and the weights that belong to it, to be changed at will.

#include <filesystem>
#include <string>
#include <vector>

#include "engine/architecture/config_reader.h"
#include "engine/files/weight_folder_writer.h"
#include "kernels/core/json.h"
#include "tests/support/temporary_folder.h"

namespace anneal::tests {

// hidden 4, 2 layers, 2 heads of 2 over 1 key/value head, 6 tokens, tied.
inline Json tiny_config() {
  return parse_json(R"({"architectures":["LlamaForCausalLM"],"model_type":"llama","vocab_size":6,"hidden_size":4,
    "intermediate_size":3,"num_hidden_layers":2,"num_attention_heads":2,"num_key_value_heads":1,
    "max_position_embeddings":16,"rms_norm_eps":1e-5,"tie_word_embeddings":true,"bos_token_id":1,"eos_token_id":2})",
                    "tiny config");
}

inline std::vector<engine::TensorSpec> specs_of(const engine::Architecture& architecture) {
  std::vector<engine::TensorSpec> specs;
  for (const engine::ModelTensor& tensor : engine::tensors_of(architecture)) {
    specs.push_back({tensor.name, DType::kF32, tensor.shape});
  }
  return specs;
}

// Every element is the number of its tensor; all must have elements of four bytes.
inline void write_weights(const TemporaryFolder& folder, const std::vector<engine::TensorSpec>& specs) {
  std::filesystem::remove(folder.path() / "model.safetensors");
  engine::WeightFolderWriter writer(folder.path().string(), specs);
  float number = 0;
  for (const engine::TensorSpec& spec : specs) {
    const std::vector<float> values(static_cast<std::size_t>(spec.bytes()) / 4, number++);
    writer.write(spec.name, values.data(), spec.bytes());
  }
  writer.finish();
}

inline void write_model(const TemporaryFolder& folder, const Json& config) {
  folder.write("config.json", to_text(config));
  write_weights(folder, specs_of(engine::read_config(config, "tiny config").architecture));
}

}  // namespace anneal::tests
