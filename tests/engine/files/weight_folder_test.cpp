#include "engine/files/weight_folder.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <limits>

#include "engine/files/small_json.h"
#include "engine/files/weight_folder_writer.h"
#include "tests/engine/files/safetensors_fixture.h"
#include "tests/support/failing_files.h"
#include "tests/support/sentence_of.h"
#include "tests/support/temporary_folder.h"

namespace anneal::engine {
namespace {

using tests::bytes_of;
using tests::safetensors;
using tests::sentence_of;
using tests::TemporaryFolder;

std::string one_tensor(const std::string& name, float value) {
  return safetensors(R"({")" + name + R"(":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})",
                     bytes_of<float>({value}));
}

constexpr const char* kIndexName = "model.safetensors.index.json";
constexpr const char* kFirst = "model-00001-of-00002.safetensors";
constexpr const char* kSecond = "model-00002-of-00002.safetensors";

// a in the first shard, b in the second.
void write_shards(const TemporaryFolder& folder) {
  folder.write(kFirst, one_tensor("a", 1));
  folder.write(kSecond, one_tensor("b", 2));
  folder.write(kIndexName, R"({"metadata":{"total_size":8.0},"weight_map":{"a":"model-00001-of-00002.safetensors",)"
                           R"("b":"model-00002-of-00002.safetensors"}})");
}

std::string refusal(const TemporaryFolder& folder) {
  return sentence_of([&] { WeightFolder::open(folder.path().string()); });
}

TEST(WeightFolder, TheFingerprintIsOfTheNumbersNotOfTheFiles) {
  const TemporaryFolder shards;
  write_shards(shards);
  const auto fingerprint = [](const TemporaryFolder& folder) {
    return WeightFolder::open(folder.path().string()).fingerprint();
  };
  const auto both = [](float a, float b) {
    return safetensors(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
                       R"("b":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})",
                       bytes_of<float>({a, b}));
  };
  const TemporaryFolder single, other;
  single.write("model.safetensors", both(1, 2));
  other.write("model.safetensors", both(1, 3));
  EXPECT_EQ(fingerprint(single), fingerprint(shards));
  EXPECT_NE(fingerprint(single), fingerprint(other));
}

TEST(WeightFolder, ReadsASingleFile) {
  const TemporaryFolder folder;
  folder.write("model.safetensors", one_tensor("a", 1.5f));
  folder.write("consolidated.safetensors", "not even looked at");
  const WeightFolder weights = WeightFolder::open(folder.path().string());
  ASSERT_EQ(weights.entries().size(), 1u);
  EXPECT_EQ(weights.bytes(), 4);
  double value = 0;
  weights.read_as(weights.at("a"), DType::kF64, &value);
  EXPECT_EQ(value, 1.5);
  weights.release();
  weights.read_as(weights.at("a"), DType::kF64, &value);
  EXPECT_EQ(value, 1.5);
  EXPECT_EQ(sentence_of([&] { (void)weights.at("b"); }),
            "tensor \"b\" is missing from the weights. Get a complete copy of the model.");
}

TEST(WeightFolder, ReadsShardsByTheIndexAlone) {
  const TemporaryFolder folder;
  write_shards(folder);
  folder.write("adapter_model.safetensors", "not even looked at");
  const WeightFolder weights = WeightFolder::open(folder.path().string());
  ASSERT_EQ(weights.entries().size(), 2u);
  EXPECT_NE(weights.path_of(weights.at("a")), weights.path_of(weights.at("b")));
  float value = 0;
  weights.read_as(weights.at("b"), DType::kF32, &value);
  EXPECT_EQ(value, 2);
}

TEST(WeightFolder, TotalSizeMayBeAbsent) {
  const TemporaryFolder folder;
  folder.write("weights/part.safetensors", one_tensor("a", 1));
  folder.write(kIndexName, R"({"weight_map":{"a":"weights/part.safetensors"}})");
  EXPECT_EQ(WeightFolder::open(folder.path().string()).entries().size(), 1u);
}

TEST(WeightFolder, MissingShardIsNamed) {
  const TemporaryFolder folder;
  write_shards(folder);
  std::filesystem::remove(folder.path() / kSecond);
  EXPECT_EQ(refusal(folder), (folder.path() / kSecond).string() +
                                 ": this part of the weights is missing. Copy or download it into the folder.");
}

TEST(WeightFolder, TensorThatItsShardDoesNotHold) {
  const TemporaryFolder folder;
  write_shards(folder);
  folder.write(kSecond, one_tensor("c", 2));
  EXPECT_EQ(refusal(folder), "b: the index places this tensor in " + (folder.path() / kSecond).string() +
                                 ", which does not hold it. Get a complete copy of the model.");
  folder.write(kIndexName,
               R"({"weight_map":{"a":"model-00002-of-00002.safetensors","c":"model-00001-of-00002.safetensors"}})");
  EXPECT_EQ(refusal(folder), "a: the index places this tensor in " + (folder.path() / kSecond).string() +
                                 ", which does not hold it. Get a complete copy of the model.\n"
                                 "c: the index places this tensor in " +
                                 (folder.path() / kFirst).string() +
                                 ", which does not hold it. Get a complete copy of the model.");
}

TEST(WeightFolder, TensorInTwoShards) {
  const TemporaryFolder folder;
  write_shards(folder);
  folder.write(kSecond, safetensors(R"({"b":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},)"
                                    R"("a":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}})",
                                    "xy"));
  EXPECT_EQ(refusal(folder), "a: this tensor stands in two files, " + (folder.path() / kFirst).string() + " and " +
                                 (folder.path() / kSecond).string() + ". Get a clean copy of the model.");
}

TEST(WeightFolder, NamesThatLeaveTheFolderAreNeverFollowed) {
  const TemporaryFolder outside;
  outside.write("secret.safetensors", one_tensor("a", 1));
  std::filesystem::create_directory(outside.path() / "model");
  const std::string folder = (outside.path() / "model").string();
  for (const std::string& name : {std::string("../secret.safetensors"), std::string("x/../../secret.safetensors"),
                                  (outside.path() / "secret.safetensors").string()}) {
    outside.write(std::string("model/") + kIndexName, R"({"weight_map":{"a":")" + name + R"("}})");
    EXPECT_EQ(
        sentence_of([&] { WeightFolder::open(folder); }),
        folder + "/" + kIndexName + ": names \"" + name +
            "\", which is not a file in its own folder. Do not use this model; it may be meant to read other files "
            "of yours.");
  }
}

TEST(WeightFolder, IndexOfAnotherKind) {
  const TemporaryFolder folder;
  const std::string index = (folder.path() / kIndexName).string();
  folder.write(kIndexName, R"({"weight_map":{"a":"pytorch_model-1.bin"}})");
  EXPECT_EQ(refusal(folder), index +
                                 ": names \"pytorch_model-1.bin\", which is no safetensors file. "
                                 "Convert the model to safetensors.");
  folder.write(kIndexName, R"({"weight_map":{"a":1}})");
  EXPECT_EQ(refusal(folder), index + ": \"weight_map\" gives no file name for \"a\". Get a complete copy of it.");
  folder.write(kIndexName, R"([])");
  EXPECT_EQ(refusal(folder),
            index + ": has no \"weight_map\" that says which file holds which tensor. Get a complete copy of it.");
}

TEST(WeightFolder, PickleFilesAreNeverOpened) {
  const TemporaryFolder folder;
  folder.write("pytorch_model.bin", "would run code");
  EXPECT_EQ(refusal(folder),
            folder.path().string() +
                ": its weights are in a pickle file (pytorch_model.bin), which can run code when it is "
                "opened, so it is never opened here. Convert the model to safetensors.");
}

TEST(WeightFolder, FoldersWithoutWeights) {
  const TemporaryFolder folder;
  EXPECT_EQ(refusal(folder), folder.path().string() +
                                 ": has neither model.safetensors nor model.safetensors.index.json. "
                                 "Get a complete copy of the model.");
  folder.write("model.Q8_0.gguf", "GGUF");
  EXPECT_EQ(refusal(folder),
            folder.path().string() + ": has no model.safetensors, but a GGUF file. Give the path of that file.");
}

TEST(WeightFolder, FileShortenedAfterOpeningIsASentence) {
  const TemporaryFolder folder;
  const std::string path = folder.write("model.safetensors", one_tensor("a", 1));
  const WeightFolder weights = WeightFolder::open(folder.path().string());
  const auto size = std::filesystem::file_size(path);
  std::filesystem::resize_file(path, 3);
  float value = 0;
  EXPECT_EQ(sentence_of([&] { weights.read_as(weights.at("a"), DType::kF32, &value); }),
            path + ": was changed while it was in use (" + std::to_string(size) +
                " bytes before, 3 now). Put the whole file back and start again.");
}

TEST(WeightFolder, CaseA08AnyReadableFolderWorks) {
  const TemporaryFolder folder;
  const std::string name = "a b/modèle 模型/ü'#/" + std::string(200, 'x') + "/" + std::string(200, 'y');
  folder.write(name + "/model.safetensors", one_tensor("a", 3));
  const std::string path = (folder.path() / name).string();
  ASSERT_GT(path.size(), 260u);
  EXPECT_EQ(WeightFolder::open(path).entries().size(), 1u);
  EXPECT_EQ(WeightFolder::open(path + "/").entries().size(), 1u);
  std::filesystem::create_directory_symlink(path, folder.path() / "link");
  EXPECT_EQ(WeightFolder::open((folder.path() / "link").string()).entries().size(), 1u);
}

TEST(WeightFolder, CaseD12NonFiniteWeightsAreNamed) {
  const TemporaryFolder folder;
  write_shards(folder);
  EXPECT_EQ(find_non_finite(WeightFolder::open(folder.path().string())), std::nullopt);
  folder.write(kSecond, one_tensor("b", std::numeric_limits<float>::quiet_NaN()));
  const std::optional<Problem> problem = find_non_finite(WeightFolder::open(folder.path().string()));
  ASSERT_TRUE(problem);
  EXPECT_EQ(to_sentence(*problem), (folder.path() / kSecond).string() +
                                       ", tensor \"b\": element 0 is not a finite number. "
                                       "Get a clean copy of the model, or an earlier checkpoint.");
}

const std::vector<TensorSpec> kSpecs = {
    {"a", DType::kF32, {2}}, {"b", DType::kF32, {1}}, {"c", DType::kF32, {4}}, {"e", DType::kF32, {0}}};

TEST(WeightFolderWriter, CutsIntoShardsThatAreReadBack) {
  const TemporaryFolder folder;
  WeightFolderWriter writer(folder.path().string(), kSpecs, 12);
  EXPECT_EQ(writer.file_names(), (std::vector<std::string>{kFirst, kSecond, kIndexName}));
  const std::vector<float> values = {1, 2, 3, 4};
  writer.write("c", values.data(), 16);  // larger than a shard: alone in one
  writer.write("a", values.data(), 8);
  writer.write("b", values.data() + 2, 4);
  writer.write("e", nullptr, 0);
  EXPECT_FALSE(std::filesystem::exists(folder.path() / kIndexName));
  writer.finish();
  const WeightFolder weights = WeightFolder::open(folder.path().string());
  EXPECT_EQ(weights.entries().size(), 4u);
  float value = 0;
  weights.read_as(weights.at("b"), DType::kF32, &value);
  EXPECT_EQ(value, 3);
  const Json index = read_small_json((folder.path() / kIndexName).string());
  EXPECT_EQ(to_text(index), R"({"metadata":{"total_size":28},"weight_map":{"a":"model-00001-of-00002.safetensors",)"
                            R"("b":"model-00001-of-00002.safetensors","c":"model-00002-of-00002.safetensors",)"
                            R"("e":"model-00002-of-00002.safetensors"}})");
}

TEST(WeightFolderWriter, SmallModelsAreOneFileWithoutIndex) {
  const TemporaryFolder folder;
  WeightFolderWriter writer(folder.path().string(), {{"a", DType::kF32, {1}}});
  const float value = 7;
  writer.write("a", &value, 4);
  writer.finish();
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "model.safetensors"));
  EXPECT_FALSE(std::filesystem::exists(folder.path() / kIndexName));
  EXPECT_EQ(sentence_of([&] { WeightFolderWriter(folder.path().string(), kSpecs, 12); }),
            folder.path().string() + ": already holds a model.safetensors. Choose another folder.");
}

TEST(WeightFolderWriter, CaseE04FullDiskLeavesNoIndexOfMissingShards) {
  const TemporaryFolder folder;
  tests::FailingFiles files;
  WeightFolderWriter writer(folder.path().string(), kSpecs, 12, files);
  const std::vector<float> values = {1, 2, 3, 4};
  writer.write("a", values.data(), 8);
  writer.write("b", values.data(), 4);
  files.room = 3;
  EXPECT_THROW(writer.write("c", values.data(), 16), DiskFull);
  EXPECT_FALSE(std::filesystem::exists(folder.path() / kIndexName));
  EXPECT_TRUE(std::filesystem::exists(folder.path() / kFirst));
  EXPECT_FALSE(std::filesystem::exists(folder.path() / (std::string(kSecond) + ".partial")));
}

}  // namespace
}  // namespace anneal::engine
