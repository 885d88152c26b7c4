// Tiny tokenizers of every kind against what the reference library made of the same texts
// (tests/interop/make_tokenizer_fixtures.py).

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "kernels/core/json.h"
#include "tests/datasets/tokenizers/tiny_tokenizer.h"

namespace anneal::datasets {
namespace {

std::string fixture_path(const std::string& name) { return std::string(ANNEAL_FIXTURES) + "/tokenizers/" + name; }

std::string streamed(const Tokenizer& tokenizer, const std::vector<Token>& ids) {
  StreamDecoder decoder(tokenizer);
  std::string text;
  for (const Token id : ids) text += decoder.append(id);
  return text + decoder.flush();
}

void check_offsets(const Json& expected, const Encoding& encoding) {
  ASSERT_EQ(encoding.offsets.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (expected[i].is_null()) {
      EXPECT_TRUE(encoding.offsets[i].empty()) << i;
    } else {
      EXPECT_EQ(encoding.offsets[i], (Span{expected[i][0].get<std::size_t>(), expected[i][1].get<std::size_t>()})) << i;
    }
  }
}

void check_case(const Tokenizer& tokenizer, const Json& expected) {
  const auto ids = expected["ids"].get<std::vector<Token>>();
  if (expected.contains("text")) {
    const Encoding encoding = tokenizer.encode(
        expected["text"].get<std::string>(),
        {.add_special_tokens = expected["add"].get<bool>(), .parse_special_tokens = expected["parse"].get<bool>()});
    EXPECT_EQ(encoding.ids, ids);
    if (expected.contains("offsets") && encoding.ids == ids) check_offsets(expected["offsets"], encoding);
    EXPECT_EQ(tokenizer.decode(ids, {.skip_special_tokens = true}), expected["skipped"].get<std::string>());
  }
  EXPECT_EQ(tokenizer.decode(ids), expected["decoded"].get<std::string>());
  EXPECT_EQ(streamed(tokenizer, ids), expected["decoded"].get<std::string>());
}

void check_fixtures(const std::string& name) {
  const Json fixtures = read_json_file(fixture_path(name));
  ASSERT_FALSE(fixtures.empty());
  for (const Json& fixture : fixtures) {
    SCOPED_TRACE(fixture["name"].get<std::string>());
    const auto tokenizer = tests::from_json(to_text(fixture["tokenizer"]));
    for (const Json& expected : fixture["cases"]) {
      SCOPED_TRACE(to_text(expected));
      check_case(*tokenizer, expected);
    }
  }
}

TEST(ReferenceFixtures, ModelsAgree) { check_fixtures("models.json"); }
TEST(ReferenceFixtures, NormalizersAgree) { check_fixtures("normalizers.json"); }
TEST(ReferenceFixtures, PreTokenizersAgree) { check_fixtures("pieces.json"); }
TEST(ReferenceFixtures, DecodersAgree) { check_fixtures("decoders.json"); }

TEST(ReferenceFixtures, SentencePieceModelsAgree) {
  for (const Json& expected : read_json_file(fixture_path("sentencepiece.json"))) {
    SCOPED_TRACE(to_text(expected));
    std::ifstream file(fixture_path("tiny_" + expected["model"].get<std::string>() + ".model"), std::ios::binary);
    TokenizerFiles files{.where = "DIR"};
    files.tokenizer_model.emplace(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    const auto tokenizer = make_tokenizer(files);
    const Encoding encoding = tokenizer->encode(expected["text"].get<std::string>(), {.add_special_tokens = false});
    EXPECT_EQ(encoding.ids, expected["ids"].get<std::vector<Token>>());
  }
}

}  // namespace
}  // namespace anneal::datasets
