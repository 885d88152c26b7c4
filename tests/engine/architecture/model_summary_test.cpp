#include "engine/architecture/model_summary.h"

#include <gtest/gtest.h>

#include "tests/engine/architecture/tiny_model.h"
#include "tests/support/sentence_of.h"

namespace anneal::engine {
namespace {

using tests::TemporaryFolder;

TEST(ModelSummary, SaysWhatAModelIs) {
  const TemporaryFolder folder;
  tests::write_model(folder, tests::tiny_config());
  EXPECT_EQ(
      to_text(inspect_model_folder(folder.path().string())),
      R"({"architecture":"LlamaForCausalLM","family":"llama","parameters":212,"dtype":"float32","tensors":20,)"
      R"("context":16,"trainable":true,"reason":"","bytes":848,"vocab_size":6,"hidden_size":4,"layers":2,"heads":2,)"
      R"("kv_heads":1,"head_dim":2,"tie_word_embeddings":true,"notices":[]})");
}

TEST(ModelSummary, DescribesWhatCannotBeTrainedWithTheReason) {
  const TemporaryFolder folder;
  Json config = tests::tiny_config();
  tests::write_model(folder, config);
  config["architectures"] = Json::array({"GPT2LMHeadModel"});
  const std::string path = folder.write("config.json", to_text(config));
  EXPECT_EQ(to_text(inspect_model_folder(folder.path().string())),
            R"({"architecture":"GPT2LMHeadModel","family":null,"parameters":212,"dtype":"float32","tensors":20,)"
            R"("context":16,"trainable":false,"reason":")" +
                path +
                R"(: the architecture \"GPT2LMHeadModel\" cannot be trained here. )"
                R"(Known are LlamaForCausalLM, MistralForCausalLM, Qwen2ForCausalLM."})");
  std::filesystem::remove(folder.path() / "model.safetensors");
  const Json summary = inspect_model_folder(folder.path().string());
  EXPECT_TRUE(summary.at("parameters").is_null());
  EXPECT_EQ(summary.at("trainable"), false);
}

TEST(ModelSummary, FoldersWithoutAModelAreRefused) {
  const TemporaryFolder folder;
  const std::string base = folder.path().string();
  EXPECT_EQ(tests::sentence_of([&] { inspect_model_folder(base); }),
            base + ": has no config.json. Get a complete copy of the model.");
  folder.write("config.json", "[1]");
  EXPECT_EQ(tests::sentence_of([&] { inspect_model_folder(base); }),
            base + "/config.json: is no description of a model. Get a complete copy of it.");
}

}  // namespace
}  // namespace anneal::engine
