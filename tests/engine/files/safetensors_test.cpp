#include "engine/files/safetensors.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "engine/files/safetensors_header.h"
#include "tests/engine/files/safetensors_fixture.h"
#include "tests/support/sentence_of.h"
#include "tests/support/shared_data.h"
#include "tests/support/temporary_folder.h"

namespace anneal::engine {
namespace {

using tests::bytes_of;
using tests::safetensors;
using tests::sentence_of;
using tests::TemporaryFolder;

// Two tensors of two floats each.
constexpr const char* kGoodHeader =
    R"({"__metadata__":{"format":"pt"},"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
    R"("b":{"dtype":"F32","shape":[1,2],"data_offsets":[8,16]}})";
const std::string kGoodData = bytes_of<float>({1, 2, 3, 4});

// What is said about a file with these bytes, without the path in front.
std::string refusal(const std::string& bytes) {
  const TemporaryFolder folder;
  const std::string path = folder.write("model.safetensors", bytes);
  const std::string sentence = sentence_of([&] { SafetensorsFile::open(path); });
  if (!sentence.starts_with(path)) return sentence.empty() ? "accepted" : "no path in: " + sentence;
  return sentence.substr(path.size());
}

std::string refusal_of_header(const std::string& header, std::size_t data_bytes) {
  return refusal(safetensors(header, std::string(data_bytes, '\0')));
}

TEST(Safetensors, ReadsNamesShapesAndNumbers) {
  const TemporaryFolder folder;
  const SafetensorsFile file =
      SafetensorsFile::open(folder.write("m.safetensors", safetensors(kGoodHeader, kGoodData)));
  ASSERT_EQ(file.entries().size(), 2u);
  EXPECT_EQ(file.metadata().at("format"), "pt");
  const TensorEntry* b = file.find("b");
  ASSERT_NE(b, nullptr);
  EXPECT_EQ(b->shape, (std::vector<int64_t>{1, 2}));
  EXPECT_EQ(b->bytes, 8);
  float values[2];
  read_as(*b, DType::kF32, values);
  EXPECT_EQ(values[0], 3);
  EXPECT_EQ(values[1], 4);
  EXPECT_EQ(file.find("c"), nullptr);
}

TEST(Safetensors, EntriesStayGoodWhenTheOwnerIsMoved) {
  const TemporaryFolder folder;
  SafetensorsFile first = SafetensorsFile::open(folder.write("m.safetensors", safetensors(kGoodHeader, kGoodData)));
  const TensorEntry* entry = first.find("a");
  const SafetensorsFile second = std::move(first);
  EXPECT_EQ(second.find("a"), entry);
  float values[2];
  read_as(*entry, DType::kF32, values);
  EXPECT_EQ(values[1], 2);
}

TEST(Safetensors, SingleNumbersEmptyTensorsAndTrailingBlanksAreLegal) {
  const TemporaryFolder folder;
  const std::string header = R"({"empty":{"dtype":"F32","shape":[0,7],"data_offsets":[0,0]},)"
                             R"("scalar":{"dtype":"BF16","shape":[],"data_offsets":[0,2]},)"
                             R"("last":{"dtype":"F32","shape":[3,0],"data_offsets":[2,2]}}   )";
  const SafetensorsFile file =
      SafetensorsFile::open(folder.write("m.safetensors", safetensors(header, bytes_of<uint16_t>({0x3FC0}))));
  EXPECT_EQ(file.find("empty")->elements(), 0);
  EXPECT_EQ(file.find("last")->elements(), 0);
  EXPECT_EQ(file.find("scalar")->elements(), 1);
  float value = 0;
  read_as(*file.find("scalar"), DType::kF32, &value);
  EXPECT_EQ(value, 1.5f);
  EXPECT_EQ(refusal(safetensors("{}", "")), "accepted");
}

TEST(Safetensors, CaseE07aGitLfsPointer) {
  std::string pointer =
      "version https://git-lfs.github.com/spec/v1\noid sha256:" + std::string(64, 'a') + "\nsize 1045088\n";
  EXPECT_EQ(
      refusal(pointer),
      ": this is a git-lfs pointer, not the weights. Run \"git lfs pull\" in its folder, or download the file itself.");
}

TEST(Safetensors, CaseE07bCutFile) {
  std::string bytes = safetensors(kGoodHeader, kGoodData);
  bytes.pop_back();
  EXPECT_EQ(refusal(bytes), ": file ends 1 byte early. Get a complete copy of it.");
  bytes.resize(bytes.size() - 4);
  EXPECT_EQ(refusal(bytes), ": file ends 5 bytes early. Get a complete copy of it.");
  bytes.resize(20);  // 8 + 12 bytes of the header
  const std::size_t missing = std::string(kGoodHeader).size() - 12;
  EXPECT_EQ(refusal(bytes), ": file ends within its header, at least " + std::to_string(missing) +
                                " bytes early. Get a complete copy of it.");
  EXPECT_EQ(refusal(bytes.substr(0, 5)), ": is only 5 bytes long, too short for weights. Get a complete copy of it.");
  EXPECT_EQ(refusal(""), ": the file is empty. Get a complete copy of it.");
}

TEST(Safetensors, CaseE07cHeaderLengthBeyondAllReason) {
  EXPECT_EQ(refusal(tests::length_bytes(uint64_t{1} << 63) + "{}"),
            ": says that its header is 9223372036854775808 bytes long, more than the 100000000 allowed. "
            "It is damaged or no safetensors file; get a complete copy of it.");
  EXPECT_EQ(refusal(tests::length_bytes(100'000'001) + "{}"),
            ": says that its header is 100000001 bytes long, more than the 100000000 allowed. "
            "It is damaged or no safetensors file; get a complete copy of it.");
  EXPECT_EQ(refusal(tests::length_bytes(100'000'000) + "{}"),
            ": file ends within its header, at least 99999998 bytes early. Get a complete copy of it.");
}

TEST(Safetensors, CaseE07dOverlap) {
  EXPECT_EQ(refusal_of_header(R"({"a":{"dtype":"U8","shape":[8],"data_offsets":[0,8]},)"
                              R"("b":{"dtype":"U8","shape":[8],"data_offsets":[4,12]}})",
                              12),
            ": tensor \"b\" begins at byte 4, but \"a\" ends at byte 8: they overlap. "
            "The file is damaged; get a complete copy of it.");
}

TEST(Safetensors, CaseE07eGap) {
  EXPECT_EQ(refusal_of_header(R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},)"
                              R"("b":{"dtype":"U8","shape":[4],"data_offsets":[8,12]}})",
                              12),
            ": tensor \"b\" begins at byte 8, but what stands before it ends at byte 4: there is a gap. "
            "The file is damaged; get a complete copy of it.");
  EXPECT_EQ(refusal_of_header(R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[2,6]}})", 6),
            ": tensor \"a\" begins at byte 2, but what stands before it ends at byte 0: there is a gap. "
            "The file is damaged; get a complete copy of it.");
}

TEST(Safetensors, CaseE07fKeyTwice) {
  EXPECT_EQ(refusal_of_header(R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},)"
                              R"("a":{"dtype":"U8","shape":[4],"data_offsets":[4,8]}})",
                              8),
            ", header:1:57: key \"a\" stands twice. The file is damaged; get a complete copy of it.");
  EXPECT_EQ(refusal_of_header(R"({"a":{"dtype":"U8","dtype":"U8","shape":[4],"data_offsets":[0,4]}})", 4),
            ", header:1:27: key \"dtype\" stands twice. The file is damaged; get a complete copy of it.");
}

TEST(Safetensors, CaseE07gShapeProductOverflow) {
  EXPECT_EQ(refusal_of_header(R"({"a":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,4]}})", 4),
            ": tensor \"a\": shape [4294967296, 4294967296] is larger than any file can be. "
            "The file is damaged; get a complete copy of it.");
  // 2^62 elements can be counted, but not their bytes; and a zero does not make an uncountable shape right.
  EXPECT_EQ(refusal_of_header(R"({"a":{"dtype":"F32","shape":[4611686018427387904],"data_offsets":[0,4]}})", 4),
            ": tensor \"a\": shape [4611686018427387904] is larger than any file can be. "
            "The file is damaged; get a complete copy of it.");
  EXPECT_EQ(refusal_of_header(R"({"a":{"dtype":"F32","shape":[0,4294967296,4294967296],"data_offsets":[0,0]}})", 0),
            ": tensor \"a\": shape [0, 4294967296, 4294967296] is larger than any file can be. "
            "The file is damaged; get a complete copy of it.");
}

TEST(Safetensors, CaseE07OtherFilesUnderThisName) {
  EXPECT_EQ(refusal("\n <!DOCTYPE html><html><body>Not found</body></html>"),
            ": this is a web page, not the weights. Download the file itself.");
  EXPECT_EQ(refusal("{\"error\":\"Repository not found\"}"),
            ": this is a text, not the weights. Download the file itself.");
  EXPECT_EQ(refusal(std::string("PK\x03\x04", 4) + std::string(40, '\0')),
            ": this is a pickle file under another name, which is never opened. Convert the model to safetensors.");
  EXPECT_EQ(refusal("GGUF" + std::string(40, '\3')),
            ": this is a GGUF file under another name. Rename it to end in .gguf.");
}

TEST(Safetensors, HeaderMustBeginWithABrace) {
  EXPECT_EQ(refusal(safetensors(" {}", "")),
            ": the header begins with \" \" instead of \"{\". It is damaged or no safetensors file; "
            "get a complete copy of it.");
  EXPECT_EQ(refusal(safetensors("{\"a\":", "")).substr(0, 12), ", header:1:6");
}

TEST(Safetensors, BytesThatBelongToNoTensor) {
  EXPECT_EQ(refusal(safetensors(kGoodHeader, kGoodData + "1234567")),
            ": 7 bytes follow the last tensor and belong to none. Get a complete copy of it.");
}

TEST(Safetensors, UnknownElementType) {
  EXPECT_EQ(refusal_of_header(R"({"a":{"dtype":"F4\u0007","shape":[4],"data_offsets":[0,2]}})", 2),
            ": tensor \"a\": element type \"F4\\x07\" is not known here. Get the model in F32, F16 or BF16.");
}

TEST(Safetensors, ShapeAndPlaceMustAgree) {
  EXPECT_EQ(refusal_of_header(R"({"a":{"dtype":"F32","shape":[2,3],"data_offsets":[0,20]}})", 20),
            ": tensor \"a\": shape [2, 3] of F32 needs 24 bytes, its place in the file has 20. "
            "The file is damaged; get a complete copy of it.");
  EXPECT_EQ(refusal_of_header(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[4,0]}})", 4),
            ": tensor \"a\": \"data_offsets\" is [4, 0], expected begin and end. "
            "The file is damaged; get a complete copy of it.");
}

TEST(Safetensors, MembersOfTheWrongKind) {
  const std::string damaged = " The file is damaged; get a complete copy of it.";
  EXPECT_EQ(refusal_of_header(R"({"a":7})", 0), ": tensor \"a\": is not described by an object." + damaged);
  EXPECT_EQ(refusal_of_header(R"({"a":{"shape":[],"data_offsets":[0,0]}})", 0),
            ": tensor \"a\": has no \"dtype\"." + damaged);
  EXPECT_EQ(refusal_of_header(R"({"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,0]}})", 0),
            ": tensor \"a\": \"shape\" is not a list of whole numbers from 0." + damaged);
  EXPECT_EQ(refusal_of_header(R"({"a":{"dtype":"F32","shape":[1.5],"data_offsets":[0,0]}})", 0),
            ": tensor \"a\": \"shape\" is not a list of whole numbers from 0." + damaged);
  EXPECT_EQ(refusal_of_header(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,18446744073709551615]}})", 0),
            ": tensor \"a\": \"data_offsets\" is not a list of whole numbers from 0." + damaged);
  EXPECT_EQ(refusal_of_header(R"({"__metadata__":{"format":1}})", 0),
            ": \"__metadata__\" holds \"format\", which is not a text." + damaged);
  EXPECT_EQ(refusal_of_header(R"({"__metadata__":[]})", 0), ": \"__metadata__\" is not an object." + damaged);
}

// Every prefix of a good file is refused with a sentence that names the file, and none is a fault of ours.
TEST(Safetensors, NoPrefixOfAGoodFileIsAccepted) {
  const TemporaryFolder folder;
  const std::string whole = safetensors(kGoodHeader, kGoodData);
  const std::string path = folder.write("m.safetensors", whole);
  for (std::size_t length = whole.size(); length-- > 0;) {
    std::filesystem::resize_file(path, length);
    const std::string sentence = sentence_of([&] { SafetensorsFile::open(path); });
    EXPECT_TRUE(sentence.starts_with(path + ": ")) << length << sentence;
  }
}

// One changed byte of the header must never place a tensor outside the data, whatever it says then.
TEST(Safetensors, ChangedBytesNeverReachBeyondTheData) {
  const std::string header = kGoodHeader;
  for (std::size_t place = 0; place < header.size(); ++place) {
    for (const char value : {'\0', '0', '9', '-', '"', ',', '}', ']', '\xFF'}) {
      std::string changed = header;
      changed[place] = value;
      try {
        const SafetensorsHeader read = parse_safetensors_header(changed, "m.safetensors");
        int64_t end = 0;
        for (const SafetensorsHeader::Tensor& tensor : read.tensors) {
          EXPECT_EQ(tensor.begin, end) << changed;
          EXPECT_GE(tensor.end, tensor.begin) << changed;
          end = tensor.end;
        }
        EXPECT_EQ(end, read.data_bytes) << changed;
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::kInput) << error.what();
      }
    }
  }
}

TEST(Safetensors, ReadsARealModel) {
  ANNEAL_NEEDS_SHARED_DATA("models/stories260K/hf/model.safetensors");
  const SafetensorsFile file =
      SafetensorsFile::open((tests::shared_data() / "models/stories260K/hf/model.safetensors").string());
  EXPECT_EQ(file.entries().size(), 47u);  // embedding, 5 layers of 9, final norm; the head is tied
  EXPECT_EQ(file.find("model.embed_tokens.weight")->shape, (std::vector<int64_t>{512, 64}));
  EXPECT_EQ(file.find("model.layers.4.self_attn.k_proj.weight")->shape, (std::vector<int64_t>{32, 64}));
}

}  // namespace
}  // namespace anneal::engine
