#include "engine/architecture/models_on_disk.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/engine/architecture/tiny_model.h"
#include "tests/engine/files/gguf/gguf_bytes.h"

namespace anneal::engine {
namespace {

namespace fs = std::filesystem;
using tests::TemporaryFolder;

void put_model(const fs::path& folder) {
  const TemporaryFolder made;
  tests::write_model(made, tests::tiny_config());
  fs::create_directories(folder);
  fs::copy(made.path(), folder, fs::copy_options::recursive);
}

std::vector<ModelOnDisk> all_in(const std::vector<fs::path>& places) {
  std::vector<ModelOnDisk> models;
  find_models(places, [&](ModelOnDisk model) {
    models.push_back(std::move(model));
    return true;
  });
  return models;
}

TEST(ModelsOnDisk, AreFoundInTheHuggingFaceCacheUnderTheirOwnNames) {
  const TemporaryFolder cache;
  const fs::path snapshot = cache.path() / "models--acme--tiny-llama" / "snapshots" / "0123abcd";
  put_model(snapshot);
  // As the cache keeps it: files are links to blobs.
  const fs::path blob = cache.path() / "models--acme--tiny-llama" / "blobs" / "ff00";
  fs::create_directories(blob.parent_path());
  fs::rename(snapshot / "model.safetensors", blob);
  fs::create_symlink("../../blobs/ff00", snapshot / "model.safetensors");
  fs::create_directories(cache.path() / "datasets--acme--chats" / "snapshots" / "1");

  const std::vector<ModelOnDisk> models = all_in({cache.path()});
  ASSERT_EQ(models.size(), 1u);
  EXPECT_EQ(models[0].name, "acme/tiny-llama");
  EXPECT_EQ(models[0].path, fs::canonical(snapshot));
  EXPECT_EQ(models[0].summary.at("trainable"), true);
  EXPECT_EQ(models[0].summary.at("parameters"), 212);
}

TEST(ModelsOnDisk, IncompleteAndDamagedOnesAreListedWithTheReason) {
  const TemporaryFolder place;
  put_model(place.path() / "a_download_broken_off");
  fs::remove(place.path() / "a_download_broken_off" / "model.safetensors");
  put_model(place.path() / "b_damaged_config");
  place.write("b_damaged_config/config.json", R"({"architectures":)");
  put_model(place.path() / "c_damaged_weights");
  place.write("c_damaged_weights/model.safetensors", "short");

  const std::vector<ModelOnDisk> models = all_in({place.path()});
  ASSERT_EQ(models.size(), 3u);
  for (const ModelOnDisk& model : models) {
    EXPECT_EQ(model.summary.at("trainable"), false) << model.name;
    EXPECT_NE(model.summary.at("reason").get<std::string>().find(model.name), std::string::npos)
        << model.summary.at("reason");
  }
}

TEST(ModelsOnDisk, GgufFilesAreModelsToo) {
  const TemporaryFolder place;
  const std::string numbers(16, '\0');
  const std::string good = tests::GgufBytes()
                               .text("general.architecture", "llama")
                               .key("llama.context_length", tests::kGgufU32, tests::raw<uint32_t>(2048))
                               .tensor("a", {2, 2}, tests::kGgufTypeF32, numbers)
                               .tensor("b", {32, 3}, tests::kGgufTypeQ4_1, std::string(60, '\0'))
                               .bytes();
  place.write("files/a.gguf", good);
  place.write("files/b.gguf", good.substr(0, good.size() - 40));
  place.write("models--acme--tiny/snapshots/1/tiny.Q4_1.gguf", good);

  const std::vector<ModelOnDisk> models = all_in({place.path()});
  ASSERT_EQ(models.size(), 3u);
  EXPECT_EQ(models[0].name, "a.gguf");
  EXPECT_EQ(models[0].summary.at("architecture"), "llama");
  EXPECT_EQ(models[0].summary.at("parameters"), 100);
  EXPECT_EQ(models[0].summary.at("dtype"), "Q4_1");
  EXPECT_EQ(models[0].summary.at("context"), 2048);
  EXPECT_EQ(models[0].summary.at("bytes"), 76);
  EXPECT_EQ(models[0].summary.at("trainable"), false);
  EXPECT_NE(models[1].summary.at("reason").get<std::string>().find("file ends before the end of tensor"), std::string::npos)
      << models[1].summary.at("reason");
  EXPECT_EQ(models[2].name, "acme/tiny/tiny.Q4_1.gguf");
}

TEST(ModelsOnDisk, OtherThingsAreNoModels) {
  const TemporaryFolder place;
  place.write("editor/config.json", R"({"theme":"dark"})");
  place.write("broken/config.json", "{");
  place.write("list/config.json", "[1]");
  place.write("adapter/adapter_config.json", R"({"peft_type":"LORA"})");
  put_model(place.path() / "run");
  place.write("run/run.sqlite", "");
  put_model(place.path() / ".hidden" / "model");
  EXPECT_TRUE(all_in({place.path(), place.path() / "is not there"}).empty());
}

TEST(ModelsOnDisk, LinksInACircleAndPlacesInsideEachOtherGiveEachModelOnce) {
  const TemporaryFolder place;
  put_model(place.path() / "models" / "one");
  fs::create_directory_symlink(place.path(), place.path() / "models" / "circle");
  EXPECT_EQ(all_in({place.path(), place.path() / "models", place.path() / "models" / "one"}).size(), 1u);
}

TEST(ModelsOnDisk, ThePersonMayStopTheWalk) {
  const TemporaryFolder place;
  put_model(place.path() / "one");
  put_model(place.path() / "two");
  int seen = 0;
  find_models({place.path()}, [&](const ModelOnDisk&) {
    ++seen;
    return false;
  });
  EXPECT_EQ(seen, 1);
}

TEST(ModelsOnDisk, TheUsualPlacesFollowTheEnvironment) {
  const TemporaryFolder place;
  const auto set = [](const char* name, const std::string& value) { setenv(name, value.c_str(), 1); };
  const char* old_home = std::getenv("ANNEAL_HOME");
  const std::string kept = old_home == nullptr ? "" : old_home;
  set("ANNEAL_HOME", place.path().string());
  unsetenv("HF_HUB_CACHE");
  set("HF_HOME", "/hf");
  EXPECT_EQ(usual_model_places(), (std::vector<fs::path>{"/hf/hub", place.path() / "models"}));
  set("HF_HUB_CACHE", "/cache");
  EXPECT_EQ(usual_model_places().front(), "/cache");
  unsetenv("HF_HUB_CACHE");
  unsetenv("HF_HOME");
  old_home == nullptr ? unsetenv("ANNEAL_HOME") : setenv("ANNEAL_HOME", kept.c_str(), 1);
}

}  // namespace
}  // namespace anneal::engine
