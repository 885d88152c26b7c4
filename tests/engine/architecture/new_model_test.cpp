#include "engine/architecture/new_model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "engine/architecture/byte_tokenizer.h"
#include "engine/architecture/model_folder.h"
#include "engine/files/open_file.h"
#include "tests/support/sentence_of.h"
#include "tests/support/temporary_folder.h"

namespace anneal::engine {
namespace {

using tests::sentence_of;
using tests::TemporaryFolder;

std::string made(const TemporaryFolder& folder, const char* name, const NewModelOptions& options) {
  std::string path = (folder.path() / name).string();
  write_new_model(path, options);
  return path;
}

std::vector<float> numbers(const ModelDescription& model, const char* name) {
  const TensorEntry& entry = model.weights.at(name);
  std::vector<float> values(static_cast<std::size_t>(entry.elements()));
  model.weights.read_as(entry, DType::kF32, values.data());
  return values;
}

TEST(NewModel, IsACompleteModel) {
  const TemporaryFolder folder;
  const ModelDescription model = read_model_folder(made(folder, "new/tiny", {}));
  EXPECT_EQ(model.architecture.family, "llama");
  EXPECT_EQ(model.architecture.vocab_size, 272);  // 260 tokens, made a multiple of 16
  EXPECT_EQ(model.architecture.head_dim, 16);
  EXPECT_EQ(model.stop_tokens, (std::vector<int64_t>{ByteTokenizer::kTurnEnd, ByteTokenizer::kEnd}));
  EXPECT_TRUE(model.notices.empty());
  EXPECT_EQ(find_non_finite(model.weights), std::nullopt);
  EXPECT_EQ(numbers(model, "model.norm.weight"), std::vector<float>(64, 1.0f));
}

TEST(NewModel, WeightsAreNormalWithTheStatedDeviation) {
  const TemporaryFolder folder;
  const ModelDescription model = read_model_folder(made(folder, "a", {}));
  const std::vector<float> values = numbers(model, "model.embed_tokens.weight");
  double sum = 0;
  double squares = 0;
  for (const float value : values) {
    sum += value;
    squares += double(value) * value;
  }
  // Both estimates of 17408 numbers lie within five of their own deviations.
  const auto count = static_cast<double>(values.size());
  EXPECT_NEAR(sum / count, 0, 5 * 0.02 / std::sqrt(count));
  EXPECT_NEAR(std::sqrt(squares / count), 0.02, 5 * 0.02 / std::sqrt(2 * count));
}

TEST(NewModel, CaseD15SameSeedSameWeights) {
  const TemporaryFolder folder;
  const auto weights = [&](const char* name, const NewModelOptions& options) {
    return read_text_file(made(folder, name, options) + "/model.safetensors", 10'000'000);
  };
  const std::string first = weights("a", {.seed = 7});
  EXPECT_EQ(weights("b", {.seed = 7}), first);
  EXPECT_NE(weights("c", {.seed = 8}), first);
  // A tensor depends on its own name, not on what else is in the model.
  const ModelDescription tied = read_model_folder((folder.path() / "a").string());
  const ModelDescription untied = read_model_folder(made(folder, "d", {.tie_word_embeddings = false, .seed = 7}));
  const char* name = "model.layers.1.mlp.down_proj.weight";
  EXPECT_EQ(numbers(tied, name), numbers(untied, name));
  EXPECT_NE(numbers(untied, "lm_head.weight"), numbers(untied, "model.embed_tokens.weight"));
}

TEST(NewModel, OtherFamiliesAndTypes) {
  const TemporaryFolder folder;
  const ModelDescription qwen =
      read_model_folder(made(folder, "q", {.architecture = "qwen2", .chat = false, .dtype = "bfloat16"}));
  EXPECT_EQ(qwen.architecture.family, "qwen2");
  EXPECT_EQ(qwen.dtype, DType::kBF16);
  EXPECT_EQ(qwen.stop_tokens, std::vector<int64_t>{ByteTokenizer::kEnd});
  EXPECT_EQ(numbers(qwen, "model.layers.0.self_attn.q_proj.bias"), std::vector<float>(64, 0.0f));
  const ModelDescription mistral =
      read_model_folder(made(folder, "m", {.architecture = "mistral", .vocab_size = 300, .head_dim = 32}));
  EXPECT_EQ(mistral.architecture.windows, (std::vector<int64_t>{0, 0}));
  EXPECT_EQ(mistral.architecture.vocab_size, 300);
  EXPECT_EQ(mistral.architecture.query_columns(), 128);
}

TEST(NewModel, ImpossibleOptionsAreNamedAndNothingIsWritten) {
  const TemporaryFolder folder;
  const auto refusal = [&](const NewModelOptions& options) { return sentence_of([&] { made(folder, "x", options); }); };
  EXPECT_EQ(refusal({.vocab_size = 100}), "vocab_size: 100 is less than the tokenizer's 260 tokens. Use 260 or more.");
  EXPECT_EQ(refusal({.num_key_value_heads = 3}),
            "new model: \"num_attention_heads\" 4 is no multiple of \"num_key_value_heads\" 3. Choose other sizes.");
  EXPECT_NE(refusal({.architecture = "bert"}), "");
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "x"));
  folder.write("x/notes.txt", "mine");
  EXPECT_EQ(refusal({}), (folder.path() / "x").string() + ": already holds something. Choose a new folder.");
}

TEST(ByteTokenizer, HasOneVisibleCharacterPerByte) {
  const Json vocabulary = ByteTokenizer{}.tokenizer_json().at("model").at("vocab");
  EXPECT_EQ(vocabulary.size(), 256u);
  EXPECT_EQ(vocabulary.at("A"), 0x41);
  EXPECT_EQ(vocabulary.at("Ġ"), 0x20);  // as every byte-level tokenizer writes a blank
  EXPECT_EQ(vocabulary.at("Ċ"), 0x0A);
  EXPECT_EQ(vocabulary.at("é"), 0xE9);
  EXPECT_EQ(vocabulary.at("Ń"), 0xAD);  // the last of the invisible ones
}

TEST(ByteTokenizer, NamesItsSpecialTokens) {
  const ByteTokenizer plain{.has_chat = false};
  EXPECT_EQ(plain.tokenizer_json().at("added_tokens").size(), 2u);
  EXPECT_FALSE(plain.tokenizer_config(64).contains("chat_template"));
  EXPECT_EQ(plain.tokenizer_config(64).at("eos_token"), "</s>");
  const Json added = ByteTokenizer{}.tokenizer_json().at("added_tokens");
  ASSERT_EQ(added.size(), 4u);
  EXPECT_EQ(added[3].at("content"), "<|im_end|>");
  EXPECT_EQ(added[3].at("id"), ByteTokenizer::kTurnEnd);
  EXPECT_EQ(ByteTokenizer{}.tokenizer_config(64).at("eos_token"), "<|im_end|>");
}

}  // namespace
}  // namespace anneal::engine
