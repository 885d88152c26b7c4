#include "engine/architecture/family.h"

#include <gtest/gtest.h>

#include "engine/architecture/embedded_text.h"
#include "tests/support/sentence_of.h"

namespace anneal::engine {
namespace {

using tests::sentence_of;

std::string refusal(const char* config) {
  return sentence_of([&] { family_of(parse_json(config, "config.json"), "config.json"); });
}

TEST(Family, AllThatAreBuiltInAreGood) {
  std::vector<std::string> names;
  for (const Family& family : known_families()) names.push_back(family.name);
  EXPECT_EQ(names, (std::vector<std::string>{"llama", "mistral", "qwen2"}));
}

TEST(Family, IsFoundByClassElseByType) {
  const auto name = [](const char* config) { return family_of(parse_json(config, ""), "").name; };
  EXPECT_EQ(name(R"({"architectures":["Qwen2ForCausalLM"],"model_type":"qwen2"})"), "qwen2");
  EXPECT_EQ(name(R"({"architectures":["MistralForCausalLM"]})"), "mistral");
  EXPECT_EQ(name(R"({"model_type":"llama"})"), "llama");
}

TEST(Family, UnknownOnesAreRefusedWithTheNearestKnown) {
  EXPECT_EQ(refusal(R"({"architectures":["Qwen3ForCausalLM"],"model_type":"qwen3"})"),
            "config.json: the architecture \"Qwen3ForCausalLM\" cannot be trained here; the nearest known is "
            "Qwen2ForCausalLM. Known are LlamaForCausalLM, MistralForCausalLM, Qwen2ForCausalLM.");
  EXPECT_EQ(refusal(R"({"model_type":"bert"})"),
            "config.json: the architecture \"bert\" cannot be trained here. "
            "Known are LlamaForCausalLM, MistralForCausalLM, Qwen2ForCausalLM.");
  EXPECT_EQ(refusal(R"({"architectures":["LlamaForCausalLM"],"model_type":"qwen2"})"),
            "config.json: \"architectures\" says LlamaForCausalLM, but \"model_type\" says \"qwen2\". "
            "Get a clean copy of it.");
  EXPECT_EQ(refusal(R"({"vocab_size":4})"),
            "config.json: names neither \"architectures\" nor \"model_type\", so the kind of model is not known. "
            "Get a complete copy of it.");
  EXPECT_EQ(refusal("[]"), "config.json: is no description of a model. Get a complete copy of it.");
}

TEST(Family, FaultsOfOurOwnFilesAreOurs) {
  const std::string text(architecture_texts().front().text);
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string other = text;
    other.replace(other.find(from), from.size(), to);
    return sentence_of([&] { parse_family(other, "llama.json"); });
  };
  EXPECT_EQ(sentence_of([&] { parse_family(text, "llama.json"); }), "");
  EXPECT_EQ(changed("rms_norm\"", "layer_norm\""), "llama.json: no block with norm \"layer_norm\" is built");
  EXPECT_EQ(changed("\"heads\":", "\"head_count\":"), "llama.json: \"heads\" is missing");
  EXPECT_EQ(changed("model.layers.{layer}.mlp.up_proj", "up_proj"), "llama.json: up_proj has no {layer}");
  EXPECT_THROW(parse_family("{", "llama.json"), InternalError);
}

}  // namespace
}  // namespace anneal::engine
