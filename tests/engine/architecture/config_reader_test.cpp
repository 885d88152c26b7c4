#include "engine/architecture/config_reader.h"

#include <gtest/gtest.h>

#include "tests/engine/architecture/tiny_model.h"
#include "tests/support/sentence_of.h"
#include "tests/support/shared_data.h"

namespace anneal::engine {
namespace {

using tests::sentence_of;
using tests::tiny_config;

Json put_over(Json config, const char* changes) {
  config.update(parse_json(changes, "changes"));
  return config;
}
Json llama(const char* changes) { return put_over(tiny_config(), changes); }
Json mistral(const char* changes) {
  return put_over(llama(R"({"architectures":["MistralForCausalLM"],"model_type":"mistral"})"), changes);
}
Json qwen2(const char* changes) {
  return put_over(llama(R"({"architectures":["Qwen2ForCausalLM"],"model_type":"qwen2","num_hidden_layers":4})"),
                  changes);
}
Json without(const std::vector<const char*>& keys) {
  Json config = tiny_config();
  for (const char* key : keys) config.erase(key);
  return config;
}
Architecture read(const Json& config) { return read_config(config, "config.json").architecture; }
std::string refusal(const Json& config) {
  return sentence_of([&] { read_config(config, "config.json"); });
}

TEST(ConfigReader, ReadsARealModel) {
  ANNEAL_NEEDS_SHARED_DATA("models/stories260K/hf/config.json");
  const Architecture architecture =
      read(read_json_file((tests::shared_data() / "models/stories260K/hf/config.json").string()));
  EXPECT_EQ(architecture.family, "llama");
  EXPECT_EQ(architecture.class_name, "LlamaForCausalLM");
  EXPECT_EQ(architecture.vocab_size, 512);
  EXPECT_EQ(architecture.hidden_size, 64);
  EXPECT_EQ(architecture.intermediate_size, 172);
  EXPECT_EQ(architecture.layers, 5);
  EXPECT_EQ(architecture.heads, 8);
  EXPECT_EQ(architecture.kv_heads, 4);
  EXPECT_EQ(architecture.head_dim, 8);
  EXPECT_EQ(architecture.max_positions, 512);
  EXPECT_EQ(architecture.norm_epsilon, 1e-5);
  EXPECT_EQ(architecture.rope, RopeSettings{.theta = 10000});
  EXPECT_EQ(architecture.windows, std::vector<int64_t>(5, 0));
  EXPECT_TRUE(architecture.tie_word_embeddings);
  EXPECT_EQ(architecture.bos_token_id, 1);
  EXPECT_EQ(architecture.eos_token_ids, std::vector<int64_t>{2});
  EXPECT_EQ(architecture.pad_token_id, std::nullopt);
  EXPECT_EQ(architecture.dtype, DType::kF32);
  // embedding, 5 x (q, o, k, v, gate, up, down, two norms), final norm
  EXPECT_EQ(parameter_count(architecture), 512 * 64 + 5 * (2 * 64 * 64 + 2 * 32 * 64 + 3 * 172 * 64 + 2 * 64) + 64);
}

TEST(ConfigReader, MissingSizesAreNamedTogether) {
  EXPECT_EQ(refusal(without({"hidden_size", "num_attention_heads"})),
            "config.json: \"hidden_size\" is missing. Get a complete copy of it.\n"
            "config.json: \"num_attention_heads\" is missing. Get a complete copy of it.");
  EXPECT_EQ(refusal(llama(R"({"vocab_size":null})")),
            "config.json: \"vocab_size\" is missing. Get a complete copy of it.");
}

TEST(ConfigReader, OtherFieldsHaveTheDefaultsOfTheirClass) {
  const Json bare = without(
      {"rms_norm_eps", "max_position_embeddings", "tie_word_embeddings", "num_key_value_heads", "bos_token_id"});
  const Architecture architecture = read(bare);
  EXPECT_EQ(architecture.norm_epsilon, 1e-6);
  EXPECT_EQ(architecture.max_positions, 2048);
  EXPECT_FALSE(architecture.tie_word_embeddings);
  EXPECT_EQ(architecture.kv_heads, 2);  // as many as heads
  EXPECT_EQ(architecture.bos_token_id, 1);
  EXPECT_EQ(architecture.head_dim, 2);
  Json other = put_over(bare, R"({"architectures":["MistralForCausalLM"],"model_type":"mistral",
                                  "num_attention_heads":16,"hidden_size":32})");
  EXPECT_EQ(read(other).kv_heads, 8);
  EXPECT_EQ(read(other).max_positions, 131072);
  other["num_key_value_heads"] = nullptr;  // written as none: as many as heads
  EXPECT_EQ(read(other).kv_heads, 16);
}

TEST(ConfigReader, HeadSizeMayDifferFromTheWidth) {
  const Architecture nemo = read(mistral(
      R"({"hidden_size":5120,"num_attention_heads":32,"num_key_value_heads":8,"head_dim":128,"sliding_window":null})"));
  EXPECT_EQ(nemo.head_dim, 128);
  EXPECT_EQ(nemo.query_columns(), 4096);
  EXPECT_EQ(nemo.key_columns(), 1024);
  EXPECT_EQ(read(llama(R"({"hidden_size":7,"head_dim":4})")).query_columns(), 8);
  EXPECT_EQ(refusal(llama(R"({"hidden_size":7})")),
            "config.json: \"hidden_size\" 7 is no multiple of \"num_attention_heads\" 2, and no \"head_dim\" is given. "
            "Get a complete copy of it.");
}

TEST(ConfigReader, ImpossibleSizesAreNamed) {
  const std::string copy = ". Get a complete copy of it.";
  EXPECT_EQ(refusal(llama(R"({"num_hidden_layers":1000000000000})")),
            "config.json: \"num_hidden_layers\" is 1000000000000, expected a whole number from 1 to 4096" + copy);
  EXPECT_EQ(refusal(llama(R"({"vocab_size":0})")),
            "config.json: \"vocab_size\" is 0, expected a whole number from 1 to 16777216" + copy);
  EXPECT_EQ(refusal(llama(R"({"vocab_size":"six"})")),
            "config.json: \"vocab_size\" is \"six\", expected a whole number" + copy);
  EXPECT_EQ(refusal(llama(R"({"head_dim":3})")),
            "config.json: heads of size 3 cannot be turned by rope, which needs an even size" + copy);
  EXPECT_EQ(refusal(llama(R"({"num_attention_heads":4,"num_key_value_heads":3,"head_dim":2})")),
            "config.json: \"num_attention_heads\" 4 is no multiple of \"num_key_value_heads\" 3" + copy);
  EXPECT_EQ(refusal(llama(R"({"num_attention_heads":65536,"num_key_value_heads":1,"head_dim":65536})")),
            "config.json: 65536 heads of size 65536 are more than can be" + copy);
  EXPECT_EQ(refusal(llama(R"({"rms_norm_eps":0})")),
            "config.json: \"rms_norm_eps\" is 0, expected a number above 0" + copy);
}

TEST(ConfigReader, BiasesFollowTheFamily) {
  const Architecture biased = read(llama(R"({"attention_bias":true,"mlp_bias":true})"));
  EXPECT_TRUE(biased.qkv_bias && biased.o_bias && biased.mlp_bias);
  const Architecture qwen = read(qwen2("{}"));
  EXPECT_TRUE(qwen.qkv_bias);
  EXPECT_FALSE(qwen.o_bias || qwen.mlp_bias);
  const Architecture none = read(mistral(R"({"attention_bias":true})"));  // no field of this family
  EXPECT_FALSE(none.qkv_bias || none.o_bias || none.mlp_bias);
}

TEST(ConfigReader, MistralWindowsAreOnEveryLayerUnlessNull) {
  EXPECT_EQ(read(mistral(R"({"sliding_window":8})")).windows, (std::vector<int64_t>{8, 8}));
  EXPECT_EQ(read(mistral(R"({"sliding_window":null})")).windows, (std::vector<int64_t>{0, 0}));
  EXPECT_EQ(read(mistral("{}")).windows, (std::vector<int64_t>{4096, 4096}));
  EXPECT_EQ(
      refusal(mistral(R"({"sliding_window":0})")),
      "config.json: \"sliding_window\" is 0, expected a whole number from 1, or null. Get a complete copy of it.");
}

TEST(ConfigReader, Qwen2WindowsAreOnUpperLayersWhenSwitchedOn) {
  const std::vector<int64_t> none = {0, 0, 0, 0};
  EXPECT_EQ(read(qwen2(R"({"sliding_window":8,"max_window_layers":2})")).windows, none);
  EXPECT_EQ(read(qwen2(R"({"sliding_window":8,"max_window_layers":2,"use_sliding_window":false})")).windows, none);
  EXPECT_EQ(read(qwen2(R"({"sliding_window":8,"max_window_layers":2,"use_sliding_window":true})")).windows,
            (std::vector<int64_t>{0, 0, 8, 8}));
  EXPECT_EQ(read(qwen2(R"({"sliding_window":8,"use_sliding_window":true})")).windows, none);  // from layer 28 on
  EXPECT_EQ(read(qwen2(R"({"sliding_window":8,"max_window_layers":0,"use_sliding_window":true,"layer_types":
                           ["full_attention","sliding_attention","full_attention","full_attention"]})"))
                .windows,
            (std::vector<int64_t>{0, 8, 0, 0}));
  EXPECT_EQ(
      refusal(qwen2(R"({"layer_types":["full_attention","sliding_attention","full_attention","full_attention"]})")),
      "config.json: layer 1 is of kind \"sliding_attention\", but no sliding_window is in use. "
      "Get a complete copy of it.");
  EXPECT_EQ(refusal(qwen2(R"({"layer_types":["full_attention"]})")),
            "config.json: \"layer_types\" lists 1 layers of 4. Get a complete copy of it.");
}

TEST(ConfigReader, ActivationsAreNamed) {
  EXPECT_EQ(read(llama(R"({"hidden_act":"gelu_pytorch_tanh"})")).activation, Activation::kGeluTanh);
  EXPECT_EQ(refusal(llama(R"({"hidden_act":"relu2"})")),
            "config.json: the activation \"relu2\" is not computed here, only silu and gelu_pytorch_tanh. "
            "Choose another model.");
}

TEST(ConfigReader, TokenIdsMayBeOneSeveralOrNone) {
  EXPECT_EQ(read(llama(R"({"eos_token_id":[3,4]})")).eos_token_ids, (std::vector<int64_t>{3, 4}));
  EXPECT_EQ(read(llama(R"({"eos_token_id":null})")).eos_token_ids, std::vector<int64_t>{});
  EXPECT_EQ(read(without({"eos_token_id"})).eos_token_ids, std::vector<int64_t>{2});
  EXPECT_EQ(read(llama(R"({"pad_token_id":-1})")).pad_token_id, std::nullopt);
  EXPECT_EQ(refusal(llama(R"({"eos_token_id":"</s>"})")),
            "config.json: \"eos_token_id\" is [\"</s>\"], expected whole numbers. Get a complete copy of it.");
}

TEST(ConfigReader, CaseC01PadMayBeTheEndOfText) {
  const Architecture architecture = read(llama(R"({"pad_token_id":2,"eos_token_id":2})"));
  EXPECT_EQ(architecture.pad_token_id, 2);
  EXPECT_EQ(architecture.eos_token_ids, std::vector<int64_t>{2});
}

TEST(ConfigReader, ElementTypeIsReadInBothForms) {
  EXPECT_EQ(read(llama(R"({"torch_dtype":"bfloat16"})")).dtype, DType::kBF16);
  EXPECT_EQ(read(llama(R"({"dtype":"float16"})")).dtype, DType::kF16);
  EXPECT_EQ(read(llama(R"({"torch_dtype":"auto"})")).dtype, std::nullopt);
}

TEST(ConfigReader, QuantisedModelsAreRefused) {
  EXPECT_EQ(refusal(llama(R"({"quantization_config":{"quant_method":"gptq","bits":4}})")),
            "config.json: the model is stored quantised (\"quantization_config\", method gptq). Get the model in full "
            "precision; quantize_base makes it small while training.");
  EXPECT_EQ(refusal(llama(R"({"quantization_config":null})")), "");
}

TEST(ConfigReader, CodeOfTheModelsOwnIsIgnoredAndSaid) {
  const ConfigReading reading = read_config(
      llama(R"({"auto_map":{"AutoModelForCausalLM":"modeling_x.X"},"attention_dropout":0.1})"), "config.json");
  EXPECT_EQ(reading.notices,
            (std::vector<std::string>{
                "config.json: code of the model's own (\"auto_map\") is never run; the llama of this program is used.",
                "config.json: \"attention_dropout\" 0.1 is not applied."}));
}

TEST(Architecture, ListsEveryTensorOnceInTheOrderOfTheComputation) {
  const Architecture architecture = read(qwen2(R"({"num_hidden_layers":1,"tie_word_embeddings":false})"));
  std::vector<std::string> lines;
  for (const ModelTensor& tensor : tensors_of(architecture)) {
    std::string line = tensor.name;
    for (const int64_t size : tensor.shape) line += " " + std::to_string(size);
    lines.push_back(line);
  }
  EXPECT_EQ(lines, (std::vector<std::string>{
                       "model.embed_tokens.weight 6 4", "model.layers.0.input_layernorm.weight 4",
                       "model.layers.0.self_attn.q_proj.weight 4 4", "model.layers.0.self_attn.q_proj.bias 4",
                       "model.layers.0.self_attn.k_proj.weight 2 4", "model.layers.0.self_attn.k_proj.bias 2",
                       "model.layers.0.self_attn.v_proj.weight 2 4", "model.layers.0.self_attn.v_proj.bias 2",
                       "model.layers.0.self_attn.o_proj.weight 4 4", "model.layers.0.post_attention_layernorm.weight 4",
                       "model.layers.0.mlp.gate_proj.weight 3 4", "model.layers.0.mlp.up_proj.weight 3 4",
                       "model.layers.0.mlp.down_proj.weight 4 3", "model.norm.weight 4", "lm_head.weight 6 4"}));
  EXPECT_EQ(architecture.names.of_layer(11).down_proj, "model.layers.11.mlp.down_proj");
}

}  // namespace
}  // namespace anneal::engine
