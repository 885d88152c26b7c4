#pragma once
// A Hugging Face folder as the GGUF file that a converter would make of it, in F32.

#include <map>
#include <string>
#include <vector>

#include "engine/architecture/model_folder.h"
#include "tests/engine/files/gguf/gguf_bytes.h"
#include "tests/engine/files/safetensors_fixture.h"

namespace anneal::tests {

inline std::string gguf_u32(int64_t value) { return raw(static_cast<uint32_t>(value)); }

// The names of a converter, the other way round.
inline std::string gguf_name(std::string name) {
  const std::vector<std::pair<std::string, std::string>> parts{{"model.embed_tokens", "token_embd"},
                                                               {"model.norm", "output_norm"},
                                                               {"lm_head", "output"},
                                                               {"model.layers", "blk"},
                                                               {"input_layernorm", "attn_norm"},
                                                               {"post_attention_layernorm", "ffn_norm"},
                                                               {"self_attn.q_proj", "attn_q"},
                                                               {"self_attn.k_proj", "attn_k"},
                                                               {"self_attn.v_proj", "attn_v"},
                                                               {"self_attn.o_proj", "attn_output"},
                                                               {"mlp.gate_proj", "ffn_gate"},
                                                               {"mlp.up_proj", "ffn_up"},
                                                               {"mlp.down_proj", "ffn_down"}};
  for (const auto& [from, to] : parts) {
    if (const std::size_t at = name.find(from); at != std::string::npos) name.replace(at, from.size(), to);
  }
  return name;
}

inline std::vector<float> numbers_of(const engine::ModelDescription& model, const std::string& name) {
  const engine::TensorEntry& entry = model.weights.at(name);
  std::vector<float> values(static_cast<std::size_t>(entry.elements()));
  model.weights.read_as(entry, DType::kF32, values.data());
  return values;
}

// Rows of each head from halves to neighbours.
inline std::vector<float> interleaved(const std::vector<float>& values, int64_t heads, int64_t head_dim) {
  std::vector<float> result;
  const std::size_t row = values.size() / static_cast<std::size_t>(heads * head_dim);
  for (int64_t head = 0; head < heads; ++head) {
    for (int64_t i = 0; i < head_dim / 2; ++i) {
      for (int64_t half = 0; half < 2; ++half) {
        const auto from =
            values.begin() + static_cast<std::ptrdiff_t>(row) * (head * head_dim + half * head_dim / 2 + i);
        result.insert(result.end(), from, from + static_cast<std::ptrdiff_t>(row));
      }
    }
  }
  return result;
}

inline GgufBytes gguf_keys(const engine::Architecture& made, const std::string& name) {
  GgufBytes file;
  file.text("general.architecture", name)
      .key(name + ".embedding_length", kGgufU32, gguf_u32(made.hidden_size))
      .key(name + ".feed_forward_length", kGgufU32, gguf_u32(made.intermediate_size))
      .key(name + ".block_count", kGgufU32, gguf_u32(made.layers))
      .key(name + ".attention.head_count", kGgufU32, gguf_u32(made.heads))
      .key(name + ".attention.head_count_kv", kGgufU32, gguf_u32(made.kv_heads))
      .key(name + ".attention.layer_norm_rms_epsilon", kGgufF32, raw(static_cast<float>(made.norm_epsilon)))
      .key(name + ".context_length", kGgufU32, gguf_u32(made.max_positions))
      .key(name + ".rope.freq_base", kGgufF32, raw(static_cast<float>(made.rope.theta)))
      .key("tokenizer.ggml.bos_token_id", kGgufU32, gguf_u32(1))
      .key("tokenizer.ggml.eos_token_id", kGgufU32, gguf_u32(2))
      .key("tokenizer.ggml.eot_token_id", kGgufU32, gguf_u32(3));
  return file;
}

inline void add_tensors(GgufBytes& file, const engine::ModelDescription& model, bool is_interleaved) {
  const engine::Architecture& made = model.architecture;
  for (const engine::ModelTensor& tensor : engine::tensors_of(made)) {
    std::vector<float> values = numbers_of(model, tensor.name);
    if (is_interleaved && tensor.name.find("q_proj") != std::string::npos)
      values = interleaved(values, made.heads, made.head_dim);
    if (is_interleaved && tensor.name.find("k_proj") != std::string::npos)
      values = interleaved(values, made.kv_heads, made.head_dim);
    const std::vector<uint64_t> sizes(tensor.shape.rbegin(), tensor.shape.rend());
    file.tensor(gguf_name(tensor.name), sizes, kGgufTypeF32, bytes_of(values));
  }
}

}  // namespace anneal::tests
