#include "engine/files/gguf/gguf_file.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/engine/files/gguf/gguf_bytes.h"
#include "tests/engine/files/safetensors_fixture.h"
#include "tests/support/sentence_of.h"
#include "tests/support/temporary_folder.h"

namespace anneal::engine {
namespace {

using namespace tests;

GgufBytes small_file() {
  GgufBytes file;
  file.text("general.architecture", "llama")
      .key("llama.block_count", kGgufU32, raw<uint32_t>(2))
      .key("a.number", kGgufF32, raw(0.5f))
      .key("a.flag", kGgufBool, raw<uint8_t>(1))
      .key("a.list", kGgufArray, raw<uint32_t>(kGgufString) + raw<uint64_t>(2) + gguf_text("one") + gguf_text("two"))
      .tensor("a", {2, 3}, kGgufTypeF32, bytes_of<float>({1, 2, 3, 4, 5, 6}))
      .tensor("b", {32, 2}, kGgufTypeQ8_0, std::string(2 * 34, '\1'));
  return file;
}

// What is said about a file with these bytes, without the path in front.
std::string said_of(const std::string& bytes) {
  const TemporaryFolder folder;
  const std::string path = folder.write("m.gguf", bytes);
  const std::string sentence = sentence_of([&] { GgufFile::open(path); });
  if (!sentence.starts_with(path)) return sentence.empty() ? "accepted" : "no path in: " + sentence;
  return sentence.substr(path.size());
}

TEST(GgufFile, ReadsKeysAndTensors) {
  const TemporaryFolder folder;
  const GgufFile file = GgufFile::open(folder.write("m.gguf", small_file().bytes()));
  EXPECT_EQ(
      to_text(file.metadata()),
      R"({"general.architecture":"llama","llama.block_count":2,"a.number":0.5,"a.flag":true,"a.list":["one","two"]})");
  ASSERT_EQ(file.entries().size(), 2u);
  const TensorEntry* a = file.find("a");
  ASSERT_NE(a, nullptr);
  EXPECT_EQ(a->shape, (std::vector<int64_t>{3, 2}));
  float numbers[6];
  read_as(*a, DType::kF32, numbers);
  EXPECT_EQ(numbers[5], 6);
  const TensorEntry* b = file.find("b");
  ASSERT_NE(b, nullptr);
  ASSERT_NE(b->block_type, nullptr);
  EXPECT_EQ(b->block_type->name, "Q8_0");
  EXPECT_EQ(b->elements(), 64);
  EXPECT_EQ(file.find("c"), nullptr);
}

TEST(GgufFile, AnotherAlignmentIsKept) {
  GgufBytes file;
  file.key("general.alignment", kGgufU32, raw<uint32_t>(64)).place_tensor("a", {1}, kGgufTypeF32, 64);
  std::string bytes = file.bytes();
  bytes.resize((bytes.size() + 63) / 64 * 64, '\0');
  bytes += std::string(64, '\0') + bytes_of<float>({7});
  const TemporaryFolder folder;
  const GgufFile opened = GgufFile::open(folder.write("m.gguf", bytes));
  float number = 0;
  read_as(opened.entries()[0], DType::kF32, &number);
  EXPECT_EQ(number, 7);
}

TEST(GgufFile, OtherThingsUnderThisNameAreNamed) {
  EXPECT_EQ(said_of(""), ": the file is empty. Get a complete copy of it.");
  EXPECT_EQ(said_of("<html>"), ": does not begin as a GGUF file does. Download the file itself.");
  EXPECT_EQ(
      said_of("version https://git-lfs.github.com/spec/v1\n"),
      ": this is a git-lfs pointer, not the model. Run \"git lfs pull\" in its folder, or download the file itself.");
  GgufBytes file = small_file();
  file.version = 1;
  EXPECT_EQ(said_of(file.bytes()), ": is GGUF of version 1; versions 2 and 3 are read. Convert the model anew.");
  file.version = 3u << 24;
  EXPECT_EQ(said_of(file.bytes()),
            ": is written for big-endian machines. Get the file for ordinary (little-endian) ones.");
  EXPECT_EQ(
      said_of(small_file().key("split.count", kGgufU32, raw<uint32_t>(3)).bytes()),
      ": is one of 3 parts of a model. Join them with llama.cpp's gguf-split --merge, or get the model as one file.");
}

TEST(GgufFile, AFileCutAnywhereIsRefused) {
  const std::string whole = small_file().bytes();
  for (std::size_t length = 0; length < whole.size(); ++length) {
    const std::string said = said_of(whole.substr(0, length));
    EXPECT_TRUE(said.starts_with(": ") && said.ends_with(".")) << length << said;
  }
}

TEST(GgufFile, LiesAboutSizesAreSeenBeforeAnythingIsMade) {
  const auto list_of = [](uint32_t kind, uint64_t count) {
    return small_file().key("x", kGgufArray, raw(kind) + raw(count)).bytes();
  };
  EXPECT_EQ(
      said_of(list_of(kGgufU8, uint64_t{1} << 60)),
      ": the value of \"x\" counts 1152921504606846976 entries, more than the file has room for. It is damaged or cut "
      "short; get a complete copy of it.");
  EXPECT_EQ(said_of(list_of(kGgufArray, 1)),
            ": \"x\" is a list of lists, which no known model needs. Get a complete copy of it.");
  EXPECT_EQ(
      said_of(list_of(13, 1)),
      ": the value of \"x\" is of a kind (13) that GGUF does not have. It is damaged; get a complete copy of it.");
  EXPECT_EQ(said_of(small_file().text("a.flag", "again").bytes()),
            ": \"a.flag\" stands in it twice. Get a complete copy of it.");
  const auto tensor = [](const std::vector<uint64_t>& sizes, uint32_t type, uint64_t place) {
    return said_of(small_file().place_tensor("t", sizes, type, place).bytes());
  };
  EXPECT_EQ(tensor({4, 0}, kGgufTypeF32, 128),
            ": tensor \"t\" has the impossible size 0. It is damaged; get a complete copy of it.");
  EXPECT_EQ(
      tensor({uint64_t{1} << 40, uint64_t{1} << 40}, kGgufTypeF32, 128),
      ": tensor \"t\" of shape [1099511627776, 1099511627776] is larger than any memory. It is damaged; get a complete "
      "copy of it.");
  EXPECT_EQ(tensor({1, 1, 1, 1, 1}, kGgufTypeF32, 128),
            ": tensor \"t\" has 5 dimensions; at most 4 are possible. It is damaged; get a complete copy of it.");
  EXPECT_EQ(tensor({33}, kGgufTypeQ8_0, 128),
            ": tensor \"t\" has rows of 33, which blocks of 32 (Q8_0) do not fill. Get a complete copy of it.");
  EXPECT_EQ(
      tensor({256}, kGgufTypeIq2Xs, 128),
      ": tensor \"t\" is stored as IQ2_XS, which is not read here. Get the model in F32, F16, BF16, Q8_0, Q4_0, Q4_1, "
      "Q5_0, Q5_1, Q4_K, Q5_K or Q6_K.");
  EXPECT_EQ(
      tensor({1}, 4000000000u, 128),
      ": tensor \"t\" is stored as type 4000000000, which is not read here. Get the model in F32, F16, BF16, Q8_0, "
      "Q4_0, Q4_1, Q5_0, Q5_1, Q4_K, Q5_K or Q6_K.");
  EXPECT_EQ(tensor({1}, kGgufTypeF32, 0),
            ": the tensors \"a\" and \"t\" overlap. It is damaged; get a complete copy of it.");
  EXPECT_EQ(tensor({1}, kGgufTypeF32, 4),
            ": tensor \"t\" does not lie at a multiple of 32 bytes. It is damaged; get a complete copy of it.");
  EXPECT_EQ(tensor({1}, kGgufTypeF32, 160), ": file ends before the end of tensor \"t\". Get a complete copy of it.");
  EXPECT_EQ(tensor({1}, kGgufTypeF32, uint64_t{1} << 63),
            ": tensor \"t\" lies beyond the file's end. Get a complete copy of it.");
  EXPECT_EQ(said_of(small_file().key("general.alignment", kGgufU32, raw<uint32_t>(48)).bytes()),
            ": \"general.alignment\" is no power of two up to 1048576. It is damaged; get a complete copy of it.");
}

TEST(GgufFile, FlippedBitsAreReadOrRefusedButNeverMore) {
  const std::string whole = small_file().bytes();
  std::mt19937 random(5);
  int refused = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string bytes = whole;
    for (int flips = 0; flips < 1 + i % 3; ++flips) {
      bytes[random() % bytes.size()] ^= static_cast<char>(1 << random() % 8);
    }
    const std::string said = said_of(bytes);
    EXPECT_TRUE(said == "accepted" || said.starts_with(": ")) << said;
    refused += said == "accepted" ? 0 : 1;
  }
  EXPECT_GT(refused, 500);
}

}  // namespace
}  // namespace anneal::engine
