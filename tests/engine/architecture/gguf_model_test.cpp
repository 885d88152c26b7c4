#include "engine/architecture/gguf_model.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <numbers>

#include "engine/architecture/model_summary.h"
#include "engine/architecture/new_model.h"
#include "engine/files/small_json.h"
#include "tests/engine/architecture/gguf_model_bytes.h"
#include "tests/support/sentence_of.h"
#include "tests/support/temporary_folder.h"

namespace anneal::engine {
namespace {

namespace fs = std::filesystem;
using tests::add_tensors;
using tests::gguf_keys;
using tests::GgufBytes;
using tests::numbers_of;
using tests::raw;
using tests::sentence_of;

ModelDescription read(const std::string& path) { return read_gguf_model(GgufFile::open(path)); }

class GgufModel : public testing::Test {
 protected:
  GgufModel() {
    const char* old = std::getenv("ANNEAL_HOME");
    if (old != nullptr) old_home_ = old;
    ::setenv("ANNEAL_HOME", (folder_.path() / "home").c_str(), 1);
  }
  ~GgufModel() override {
    old_home_.empty() ? ::unsetenv("ANNEAL_HOME") : ::setenv("ANNEAL_HOME", old_home_.c_str(), 1);
  }

  ModelDescription made(const NewModelOptions& options) {
    const std::string path = (folder_.path() / "hf").string();
    write_new_model(path, options);
    return read_model_folder(path);
  }
  std::string written(const GgufBytes& file) { return folder_.write("m.gguf", file.bytes()); }
  std::string refusal(const GgufBytes& file) {
    const std::string path = written(file);
    std::string sentence = sentence_of([&] { read(path); });
    return sentence.starts_with(path) ? sentence.substr(path.size()) : "no path in: " + sentence;
  }

  tests::TemporaryFolder folder_;
  std::string old_home_;
};

TEST_F(GgufModel, IsTheModelThatItWasMadeFrom) {
  const ModelDescription folder = made({});
  GgufBytes file = gguf_keys(folder.architecture, "llama");
  add_tensors(file, folder, true);
  const ModelDescription model = read_model_folder(written(file));
  EXPECT_EQ(model.architecture.family, "llama");
  EXPECT_EQ(model.architecture.head_dim, folder.architecture.head_dim);
  EXPECT_EQ(model.architecture.norm_epsilon, folder.architecture.norm_epsilon);  // not 9.99…e-06
  EXPECT_EQ(model.architecture.rope, folder.architecture.rope);
  EXPECT_TRUE(model.architecture.tie_word_embeddings);
  EXPECT_EQ(model.parameters, folder.parameters);
  EXPECT_EQ(model.dtype, DType::kF32);
  EXPECT_EQ(model.stop_tokens, (std::vector<int64_t>{2, 3}));
  for (const ModelTensor& tensor : tensors_of(folder.architecture))
    EXPECT_EQ(numbers_of(model, tensor.name), numbers_of(folder, tensor.name)) << tensor.name;
  EXPECT_EQ(find_non_finite(model.weights), std::nullopt);
}

TEST_F(GgufModel, HeadsOfQwenStandAsTheyAreAndItsBiasesComeAlong) {
  const ModelDescription folder = made({.architecture = "qwen2", .tie_word_embeddings = false});
  ASSERT_TRUE(folder.architecture.qkv_bias);
  GgufBytes file = gguf_keys(folder.architecture, "qwen2");
  add_tensors(file, folder, false);
  const ModelDescription model = read(written(file));
  EXPECT_EQ(model.architecture.family, "qwen2");
  EXPECT_FALSE(model.architecture.tie_word_embeddings);
  for (const ModelTensor& tensor : tensors_of(folder.architecture))
    EXPECT_EQ(numbers_of(model, tensor.name), numbers_of(folder, tensor.name)) << tensor.name;
}

TEST_F(GgufModel, SmallFilesAreMadeOnceAndDescribeTheSameModel) {
  const ModelDescription folder = made({});
  GgufBytes file = gguf_keys(folder.architecture, "llama");
  add_tensors(file, folder, true);
  const std::string path = written(file);
  const fs::path small = read_model_folder(path).folder;
  EXPECT_EQ(read_small_json((small / "config.json").string()), read(path).config);
  EXPECT_EQ(read_small_json((small / "generation_config.json").string())["eos_token_id"], (Json{2, 3}));
  const auto written_at = fs::last_write_time(small / "config.json");
  EXPECT_EQ(read_model_folder(path).folder, small.string());
  EXPECT_EQ(fs::last_write_time(small / "config.json"), written_at);
  file.key("general.name", tests::kGgufString, tests::gguf_text("another"));
  EXPECT_NE(read_model_folder(written(file)).folder, small.string());
}

TEST_F(GgufModel, SmallFilesThatAreDamagedAreMadeAnew) {
  const ModelDescription folder = made({});
  GgufBytes file = gguf_keys(folder.architecture, "llama");
  add_tensors(file, folder, true);
  const std::string path = written(file);
  const fs::path small = read_model_folder(path).folder;
  const Json config = read_small_json((small / "config.json").string());
  fs::remove(small / "generation_config.json");
  EXPECT_TRUE(fs::exists(fs::path(read_model_folder(path).folder) / "generation_config.json"));
  fs::resize_file(small / "config.json", 10);
  EXPECT_EQ(read_small_json(read_model_folder(path).folder + "/config.json"), config);
  fs::remove_all(small);
  folder_.write(small.lexically_relative(folder_.path()).string(), "a file in its place");
  EXPECT_EQ(read_small_json(read_model_folder(path).folder + "/config.json"), config);
}

TEST_F(GgufModel, AVocabularyThatDoesNotWorkLeavesNothingBehind) {
  const ModelDescription folder = made({});
  GgufBytes file = gguf_keys(folder.architecture, "llama");
  add_tensors(file, folder, true);
  const auto texts = [](const std::vector<std::string>& list) {
    std::string bytes = raw<uint32_t>(tests::kGgufString) + raw<uint64_t>(list.size());
    for (const std::string& text : list) bytes += tests::gguf_text(text);
    return bytes;
  };
  file.text("tokenizer.ggml.model", "gpt2")
      .text("tokenizer.ggml.pre", "gpt-2")
      .key("tokenizer.ggml.tokens", tests::kGgufArray, texts({"a", "b", "c", "d"}))
      .key("tokenizer.ggml.merges", tests::kGgufArray, texts({"a x"}));
  const std::string path = written(file);
  const std::string sentence = sentence_of([&] { read_model_folder(path); });
  EXPECT_TRUE(sentence.starts_with(path)) << sentence;
  EXPECT_NE(sentence.find("merge 0"), std::string::npos) << sentence;
  EXPECT_FALSE(fs::exists(folder_.path() / "home" / "gguf"));
  EXPECT_EQ(inspect_gguf(path)["trainable"], false);
}

TEST_F(GgufModel, OtherWeightsHaveAnotherFingerprint) {
  const ModelDescription folder = made({});
  GgufBytes file = gguf_keys(folder.architecture, "llama");
  add_tensors(file, folder, true);
  const std::string before = read(written(file)).weights.fingerprint();
  file.data[17] ^= 1;
  EXPECT_NE(read(written(file)).weights.fingerprint(), before);
}

TEST_F(GgufModel, WhatIsNotComputedHereIsRefused) {
  const ModelDescription folder = made({});
  const auto with = [&](const char* key, uint32_t kind, const std::string& value) {
    GgufBytes file = gguf_keys(folder.architecture, "llama");
    add_tensors(file, folder, true);
    return refusal(file.key(key, kind, value));
  };
  EXPECT_EQ(with("llama.expert_count", tests::kGgufU32, raw<uint32_t>(8)),
            ": \"llama.expert_count\" 8 is not computed here. Choose another model.");
  EXPECT_EQ(with("llama.rope.dimension_count", tests::kGgufU32, raw<uint32_t>(8)),
            ": rope turns 8 of 16 places of a head, which is not computed here. Choose another model.");
  EXPECT_EQ(with("general.type", tests::kGgufString, tests::gguf_text("adapter")),
            ": is of the type \"adapter\", not a model. Give the file of the model itself.");
  EXPECT_NE(with("llama.rope.scaling.type", tests::kGgufString, tests::gguf_text("yarn")).find("\"yarn\""),
            std::string::npos);
  EXPECT_EQ(with("llama.expert_count", tests::kGgufU32, raw<uint32_t>(0)), "no path in: ");
  EXPECT_EQ(with("llama.rope.dimension_count", tests::kGgufString, tests::gguf_text("all")),
            ": \"llama.rope.dimension_count\" is \"all\", expected a number. Get another conversion of the model.");
  EXPECT_EQ(refusal(GgufBytes().text("a", "b").tensor("t", {1}, tests::kGgufTypeF32, raw(0.f))),
            ": \"general.architecture\" is missing or no text. Get another conversion of the model.");
  EXPECT_NE(refusal(gguf_keys(folder.architecture, "mamba")).find("the architecture \"mamba\""), std::string::npos);
}

TEST_F(GgufModel, TensorsAreHeldAgainstTheArchitecture) {
  const ModelDescription folder = made({});
  GgufBytes file = gguf_keys(folder.architecture, "llama");
  add_tensors(file, folder, true);
  EXPECT_EQ(
      refusal(GgufBytes(file).tensor("blk.0.ffn_gate_inp.weight", {1}, tests::kGgufTypeF32, raw(0.f))),
      ", tensor \"blk.0.ffn_gate_inp.weight\": is no part of a llama model. Get the model's Hugging Face folder.");
  file.tensors.pop_back();
  EXPECT_NE(sentence_of([&] { read(written(file)); }).find("model.norm.weight"), std::string::npos);
  EXPECT_NE(refusal(gguf_keys(folder.architecture, "llama")).find("has no tensor token_embd.weight"),
            std::string::npos);
}

TEST_F(GgufModel, DivisorsOfLlama3AreItsScaling) {
  const ModelDescription folder = made({});
  const RopeSettings scaled{.kind = RopeKind::kLlama3,
                            .theta = folder.architecture.rope.theta,
                            .factor = 8,
                            .low_frequency_factor = 1,
                            .high_frequency_factor = 4,
                            .original_max_positions = 8192};
  const std::vector<float> plain = inverse_frequencies({.theta = scaled.theta}, folder.architecture.head_dim);
  std::vector<float> divisors = inverse_frequencies(scaled, folder.architecture.head_dim);
  for (std::size_t i = 0; i < divisors.size(); ++i) divisors[i] = plain[i] / divisors[i];
  ASSERT_GT(2 * std::numbers::pi / double(plain.back()), 8192);  // a wave that is divided by the whole factor
  const auto with = [&](const std::vector<float>& values) {
    GgufBytes file = gguf_keys(folder.architecture, "llama");
    add_tensors(file, folder, true);
    return file.tensor("rope_freqs.weight", {values.size()}, tests::kGgufTypeF32, tests::bytes_of(values));
  };
  EXPECT_EQ(read(written(with(divisors))).architecture.rope, scaled);
  divisors.front() = 3;
  EXPECT_NE(refusal(with(divisors)).find("in another way than Llama 3"), std::string::npos);
}

TEST_F(GgufModel, InspectionSaysWhatItIsOrWhyItCannotBeTrained) {
  const ModelDescription folder = made({});
  GgufBytes file = gguf_keys(folder.architecture, "llama");
  add_tensors(file, folder, true);
  const Json good = inspect_gguf(written(file));
  EXPECT_EQ(good["trainable"], true);
  EXPECT_EQ(good["dtype"], "F32");
  EXPECT_EQ(good["family"], "llama");
  EXPECT_FALSE(fs::exists(folder_.path() / "home"));  // looking leaves nothing behind
  file.text("tokenizer.ggml.model", "bert");
  const Json bad = inspect_gguf(written(file));
  EXPECT_EQ(bad["trainable"], false);
  EXPECT_EQ(bad["parameters"], folder.parameters);
  EXPECT_NE(bad["reason"].get<std::string>().find("of the kind \"bert\""), std::string::npos);
}

}  // namespace
}  // namespace anneal::engine
