#include "engine/architecture/model_folder.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>

#include "tests/engine/architecture/tiny_model.h"
#include "tests/support/sentence_of.h"
#include "tests/support/shared_data.h"

namespace anneal::engine {
namespace {

using tests::sentence_of;
using tests::specs_of;
using tests::TemporaryFolder;
using tests::tiny_config;
using tests::write_model;
using tests::write_weights;

const std::string kSamePlace = " Get config.json and weights from the same place.";
constexpr int64_t kLayerParameters = 4 + 16 + 8 + 8 + 16 + 4 + 3 * 12;  // of the tiny model

std::vector<TensorSpec> tiny_specs() { return specs_of(read_config(tiny_config(), "tiny config").architecture); }

ModelDescription read(const TemporaryFolder& folder) { return read_model_folder(folder.path().string()); }
std::string refusal(const TemporaryFolder& folder) {
  return sentence_of([&] { read(folder); });
}

TEST(ModelFolder, ReadsARealModel) {
  ANNEAL_NEEDS_SHARED_DATA("models/stories260K/hf");
  const ModelDescription model = read_model_folder((tests::shared_data() / "models/stories260K/hf").string());
  EXPECT_EQ(model.parameters * 4, model.weights.bytes());  // F32, tied, nothing else in the file
  EXPECT_EQ(model.dtype, DType::kF32);
  EXPECT_EQ(model.weights.entries().size(), 47u);
  EXPECT_EQ(model.stop_tokens, std::vector<int64_t>{2});
  EXPECT_EQ(model.generation_config.at("max_length"), 512);
  EXPECT_TRUE(model.notices.empty());
  EXPECT_EQ(find_non_finite(model.weights), std::nullopt);
}

TEST(ModelFolder, EntriesStayGoodWhenTheDescriptionIsMoved) {
  const TemporaryFolder folder;
  write_model(folder, tiny_config());
  ModelDescription first = read(folder);
  const ModelDescription second = std::move(first);
  float values[4];
  second.weights.read_as(second.weights.at("model.norm.weight"), DType::kF32, values);
  EXPECT_EQ(values[3], 19);  // the embedding and two layers of nine come before it
}

TEST(ModelFolder, CaseA08AnyReadableFolderWorks) {
  const TemporaryFolder folder;
  write_model(folder, tiny_config());
  const std::filesystem::path other = folder.path() / "a b" / "modèle 模型" / "ü'#";
  std::filesystem::create_directories(other);
  for (const char* name : {"config.json", "model.safetensors"}) {
    std::filesystem::copy_file(folder.path() / name, other / name);
  }
  EXPECT_EQ(read_model_folder(other.string() + "/").parameters, read(folder).parameters);
}

TEST(ModelFolder, MissingTensorsAreEachNamed) {
  const TemporaryFolder folder;
  write_model(folder, tiny_config());
  std::vector<TensorSpec> specs = tiny_specs();
  std::erase_if(specs, [](const TensorSpec& spec) { return spec.name.ends_with("v_proj.weight"); });
  write_weights(folder, specs);
  EXPECT_EQ(refusal(folder),
            "model.layers.0.self_attn.v_proj.weight: this tensor is missing from the weights. "
            "Get a complete copy of the model.\n"
            "model.layers.1.self_attn.v_proj.weight: this tensor is missing from the weights. "
            "Get a complete copy of the model.");
}

TEST(ModelFolder, WrongShapesAreNamed) {
  const TemporaryFolder folder;
  write_model(folder, tiny_config());
  std::vector<TensorSpec> specs = tiny_specs();
  specs[0].shape = {7, 4};
  write_weights(folder, specs);
  EXPECT_EQ(refusal(folder),
            "model.embed_tokens.weight: has the shape [7, 4], but the config asks for [6, 4]." + kSamePlace);
}

TEST(ModelFolder, TensorsThatDoNotBelongAreNamed) {
  const TemporaryFolder folder;
  write_model(folder, tiny_config());
  std::vector<TensorSpec> specs = tiny_specs();
  specs.push_back({"model.layers.0.self_attn.q_norm.weight", DType::kF32, {2}});
  write_weights(folder, specs);
  EXPECT_EQ(refusal(folder),
            "model.layers.0.self_attn.q_norm.weight: this tensor is no part of a llama model as config.json describes "
            "it." +
                kSamePlace);
}

TEST(ModelFolder, TablesOfOldFilesArePassedOver) {
  const TemporaryFolder folder;
  write_model(folder, tiny_config());
  std::vector<TensorSpec> specs = tiny_specs();
  specs.push_back({"model.layers.0.self_attn.rotary_emb.inv_freq", DType::kF32, {1}});
  specs.push_back({"model.layers.11.self_attn.rotary_emb.inv_freq", DType::kF32, {1}});
  write_weights(folder, specs);
  EXPECT_EQ(refusal(folder), "");
  specs.back().name = "model.layers.x.self_attn.rotary_emb.inv_freq";
  write_weights(folder, specs);
  EXPECT_NE(refusal(folder), "");
}

TEST(ModelFolder, QuantisedTensorsAreNamed) {
  const TemporaryFolder folder;
  write_model(folder, tiny_config());
  std::vector<TensorSpec> specs = tiny_specs();
  specs.back().dtype = DType::kI32;
  write_weights(folder, specs);
  EXPECT_EQ(refusal(folder), "model.norm.weight: holds I32, a quantised form. Get the model in F32, F16 or BF16.");
}

TEST(ModelFolder, ManyProblemsAreCut) {
  const TemporaryFolder folder;
  write_model(folder, tiny_config());
  write_weights(folder, {{"x", DType::kF32, {1}}});
  const std::string sentences = refusal(folder);  // 20 tensors are missing, one is too many
  EXPECT_EQ(std::count(sentences.begin(), sentences.end(), '\n'), 20);
  EXPECT_TRUE(sentences.ends_with("\nAnd 1 more like these.")) << sentences;
}

TEST(ModelFolder, CaseF04HeadAbsent) {
  const TemporaryFolder folder;
  Json config = tiny_config();
  write_model(folder, config);
  EXPECT_TRUE(read(folder).architecture.tie_word_embeddings);
  EXPECT_EQ(read(folder).parameters, 6 * 4 + 2 * kLayerParameters + 4);
  config["tie_word_embeddings"] = false;
  folder.write("config.json", to_text(config));
  EXPECT_EQ(refusal(folder),
            "lm_head.weight: is missing, though config.json does not tie the output head to the embedding. "
            "Get a complete copy of the model, or set tie_word_embeddings to true if it is meant to be tied.");
}

TEST(ModelFolder, CaseF04HeadPresent) {
  const TemporaryFolder folder;
  Json config = tiny_config();
  config["tie_word_embeddings"] = false;
  write_model(folder, config);
  EXPECT_FALSE(read(folder).architecture.tie_word_embeddings);
  EXPECT_EQ(read(folder).parameters, 2 * 6 * 4 + 2 * kLayerParameters + 4);
  config["tie_word_embeddings"] = true;  // but the head holds other numbers: someone trained it
  folder.write("config.json", to_text(config));
  const ModelDescription trained = read(folder);
  EXPECT_FALSE(trained.architecture.tie_word_embeddings);
  EXPECT_EQ(trained.notices,
            (std::vector<std::string>{"config.json ties the output head to the embedding, but a different "
                                      "lm_head.weight is stored; it is used, and the model is written untied."}));
}

TEST(ModelFolder, CaseF04HeadPresentAndTheSameIsTied) {
  const TemporaryFolder folder;
  write_model(folder, tiny_config());
  std::vector<TensorSpec> specs = tiny_specs();
  specs.push_back({"lm_head.weight", DType::kF32, {6, 4}});
  std::filesystem::remove(folder.path() / "model.safetensors");
  WeightFolderWriter writer(folder.path().string(), specs);
  for (const TensorSpec& spec : specs) {
    const std::vector<char> zeros(static_cast<std::size_t>(spec.bytes()));
    writer.write(spec.name, zeros.data(), spec.bytes());
  }
  writer.finish();
  const ModelDescription model = read(folder);
  EXPECT_TRUE(model.architecture.tie_word_embeddings);
  EXPECT_TRUE(model.notices.empty());
  for (const ModelTensor& tensor : tensors_of(model.architecture)) EXPECT_NE(tensor.name, "lm_head.weight");
}

TEST(ModelFolder, StopTokensComeFromTheGenerationConfigFirst) {
  const TemporaryFolder folder;
  write_model(folder, tiny_config());
  EXPECT_EQ(read(folder).stop_tokens, std::vector<int64_t>{2});
  EXPECT_TRUE(read(folder).generation_config.is_null());
  folder.write("generation_config.json", R"({"eos_token_id":[4,2],"temperature":"hot"})");
  EXPECT_EQ(read(folder).stop_tokens, (std::vector<int64_t>{4, 2}));
  folder.write("generation_config.json", R"({"eos_token_id":null})");
  EXPECT_EQ(read(folder).stop_tokens, std::vector<int64_t>{2});
}

TEST(ModelFolder, BrokenGenerationConfigIsNoObstacle) {
  const TemporaryFolder folder;
  write_model(folder, tiny_config());
  const std::string path = folder.write("generation_config.json", "{");
  const ModelDescription model = read(folder);
  ASSERT_EQ(model.notices.size(), 1u);
  EXPECT_TRUE(model.notices[0].starts_with(path + ":1:")) << model.notices[0];
  EXPECT_TRUE(model.notices[0].ends_with("It is passed over.")) << model.notices[0];
}

TEST(ModelFolder, MissingPermissionIsOneSentence) {
  const TemporaryFolder folder;
  write_model(folder, tiny_config());
  const std::string path = (folder.path() / "config.json").string();
  // The administrator may read everything, so the test steps down for the one call; the folder is closed to others.
  const bool is_administrator = geteuid() == 0;
  if (!is_administrator) std::filesystem::permissions(folder.path(), std::filesystem::perms::none);
  ASSERT_EQ(is_administrator ? seteuid(65534) : 0, 0);
  const std::string sentence = refusal(folder);
  ASSERT_EQ(is_administrator ? seteuid(0) : 0, 0);
  std::filesystem::permissions(folder.path(), std::filesystem::perms::owner_all);
  EXPECT_EQ(sentence, path + ": you have no permission to read it. Ask its owner, or change it with chmod.");
}

TEST(ModelFolder, WhatIsNoModelHasItsSentence) {
  const TemporaryFolder folder;
  const std::string base = folder.path().string();
  EXPECT_EQ(refusal(folder), base + ": has no config.json. Get a complete copy of the model.");
  folder.write("adapter_config.json", "{}");
  EXPECT_EQ(refusal(folder),
            base + ": is an adapter, not a model. Give its base as the model and this folder as the adapter.");
  EXPECT_EQ(sentence_of([&] { read_model_folder(base + "/none"); }), base + "/none: does not exist. Check the path.");
  EXPECT_EQ(sentence_of([&] { read_model_folder(base + "/adapter_config.json"); }),
            base +
                "/adapter_config.json: is a file, but no GGUF file. Give the folder that holds config.json, or the "
                "model's GGUF file.");
  folder.write("config.json", to_text(tiny_config()));
  folder.write("pytorch_model.bin", "x");
  EXPECT_EQ(refusal(folder), base +
                                 ": its weights are in a pickle file (pytorch_model.bin), which can run code when it "
                                 "is opened, so it is never opened here. Convert the model to safetensors.");
}

}  // namespace
}  // namespace anneal::engine
