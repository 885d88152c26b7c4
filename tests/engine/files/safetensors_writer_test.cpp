#include <gtest/gtest.h>

#include <filesystem>

#include "engine/files/open_file.h"
#include "engine/files/safetensors.h"
#include "tests/support/failing_files.h"
#include "tests/support/temporary_folder.h"

namespace anneal::engine {
namespace {

using tests::FailingFiles;
using tests::TemporaryFolder;

const std::vector<TensorSpec> kSpecs = {
    {"half", DType::kBF16, {3}}, {"single", DType::kF32, {2, 1}}, {"none", DType::kF32, {0}}};
const std::vector<uint16_t> kHalf = {0x3F80, 0x4000, 0x4040};
const std::vector<float> kSingle = {5, 6};

TEST(SafetensorsWriter, WritesWhatTheFormatSays) {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "m.safetensors").string();
  SafetensorsWriter writer(path, kSpecs);
  writer.write("half", kHalf.data(), 2);  // pieces, and two tensors alternately
  writer.write("single", kSingle.data(), 8);
  writer.write("half", kHalf.data() + 1, 4);
  EXPECT_FALSE(std::filesystem::exists(path));
  writer.finish();

  // Wider elements first; the header padded by blanks to a multiple of eight.
  std::string header = R"({"__metadata__":{"format":"pt"},"single":{"dtype":"F32","shape":[2,1],"data_offsets":[0,8]},)"
                       R"("none":{"dtype":"F32","shape":[0],"data_offsets":[8,8]},)"
                       R"("half":{"dtype":"BF16","shape":[3],"data_offsets":[8,14]}})";
  header.resize((header.size() + 7) / 8 * 8, ' ');
  const std::string bytes = read_text_file(path, 10000);
  EXPECT_EQ(static_cast<std::size_t>(static_cast<unsigned char>(bytes[0])), header.size());
  EXPECT_EQ(bytes.substr(8, header.size()), header);
  EXPECT_EQ(bytes.size(), 8 + header.size() + 14);
}

TEST(SafetensorsWriter, IsReadBackTheSame) {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "m.safetensors").string();
  SafetensorsWriter writer(path, {{"a \"quoted\" näme\n", DType::kF32, {2}}, {"scalar", DType::kF64, {}}});
  const double scalar = 0.1;
  writer.write("scalar", &scalar, 8);
  writer.write("a \"quoted\" näme\n", kSingle.data(), 8);
  writer.finish();
  const SafetensorsFile file = SafetensorsFile::open(path);
  double read = 0;
  read_as(*file.find("scalar"), DType::kF64, &read);
  EXPECT_EQ(read, 0.1);
  float values[2];
  read_as(*file.find("a \"quoted\" näme\n"), DType::kF32, values);
  EXPECT_EQ(values[1], 6);
}

TEST(SafetensorsWriter, CaseE04FullDiskAtAnyByteKeepsTheOldFile) {
  const TemporaryFolder folder;
  const std::string path = folder.write("m.safetensors", "old");
  const auto write_all = [&](FileWriter& files) {
    SafetensorsWriter writer(path, kSpecs, files);
    writer.write("half", kHalf.data(), 6);
    writer.write("single", kSingle.data(), 8);
    writer.finish();
  };
  int64_t room = 0;
  for (;; ++room) {
    FailingFiles files;
    files.room = room;
    try {
      write_all(files);
      break;
    } catch (const DiskFull&) {
      EXPECT_EQ(read_text_file(path, 100), "old");
      EXPECT_FALSE(std::filesystem::exists(path + ".partial"));
    }
  }
  EXPECT_EQ(room, static_cast<int64_t>(std::filesystem::file_size(path)));
  EXPECT_EQ(SafetensorsFile::open(path).entries().size(), 3u);
}

TEST(SafetensorsWriter, OurOwnMistakesAreFoundOut) {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "m.safetensors").string();
  SafetensorsWriter writer(path, kSpecs);
  EXPECT_THROW(writer.write("half", kHalf.data(), 8), InternalError);
  EXPECT_THROW(writer.write("other", kHalf.data(), 2), InternalError);
  EXPECT_THROW(writer.finish(), InternalError);
  EXPECT_THROW(SafetensorsWriter(path, {{"a", DType::kF32, {1}}, {"a", DType::kF32, {1}}}), InternalError);
}

}  // namespace
}  // namespace anneal::engine
