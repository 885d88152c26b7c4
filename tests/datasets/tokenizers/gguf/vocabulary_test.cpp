#include "datasets/tokenizers/gguf/vocabulary.h"

#include <gtest/gtest.h>

#include "datasets/tokenizers/gguf/word_cutting.h"
#include "datasets/tokenizers/sentencepiece/model_file.h"
#include "tests/support/sentence_of.h"

namespace anneal::datasets {
namespace {

using anneal::tests::sentence_of;

// Bytes of the alphabet that the texts below need, two merges, and a control and a user-defined token.
Json byte_pairs() {
  Json tokens = Json::array({"<end>", "<mark>"});
  for (const char* text : {"a", "b", "c", "1", "2", "Ġ", "<", ">", "e", "n", "d", "m", "r", "k", "ab", "abc", "12"})
    tokens.push_back(text);
  Json types = Json::array({3, 4});
  while (types.size() < tokens.size()) types.push_back(1);
  return {{"tokenizer.ggml.model", "gpt2"},
          {"tokenizer.ggml.pre", "smollm"},
          {"tokenizer.ggml.tokens", tokens},
          {"tokenizer.ggml.token_type", types},
          {"tokenizer.ggml.merges", {"a b", "ab c", "1 2"}},
          {"tokenizer.ggml.eos_token_id", 0},
          {"tokenizer.chat_template", "{{ messages }}"}};
}

Json pieces() {
  Json tokens = Json::array({"<unk>", "<s>", "</s>"});
  Json types = Json::array({2, 3, 3});
  Json scores = Json::array({0, 0, 0});
  for (int byte = 0; byte < 256; ++byte) {
    tokens.push_back(fmt::format("<0x{:02X}>", byte));
    types.push_back(6);
    scores.push_back(0);
  }
  double score = 0;
  for (const char* text : {"▁a", "▁ab", "▁", "a", "b"}) {
    tokens.push_back(text);
    types.push_back(1);
    scores.push_back(score -= 1);
  }
  return {{"tokenizer.ggml.model", "llama"},     {"tokenizer.ggml.tokens", tokens},
          {"tokenizer.ggml.token_type", types},  {"tokenizer.ggml.scores", scores},
          {"tokenizer.ggml.bos_token_id", 1},    {"tokenizer.ggml.eos_token_id", 2},
          {"tokenizer.ggml.unknown_token_id", 0}};
}

std::vector<std::string> spelt(const Tokenizer& tokenizer, std::string_view text, const EncodeOptions& options = {}) {
  std::vector<std::string> texts;
  for (const Token id : tokenizer.encode(text, options).ids) texts.push_back(*tokenizer.token_text(id));
  return texts;
}
using Texts = std::vector<std::string>;

TEST(GgufVocabulary, BytePairsAreMergedWithinWords) {
  const auto tokenizer = make_tokenizer(describe_gguf_vocabulary(byte_pairs(), "m.gguf"));
  EXPECT_EQ(tokenizer->vocabulary_size(), 19);
  EXPECT_EQ(spelt(*tokenizer, "abc ab"), (Texts{"abc", "Ġ", "ab"}));
  EXPECT_EQ(spelt(*tokenizer, "12"), (Texts{"1", "2"}));  // each digit is a word of its own
  EXPECT_EQ(tokenizer->decode(tokenizer->encode("abc 12").ids), "abc 12");
  EXPECT_EQ(tokenizer->eos(), 0);
  EXPECT_FALSE(tokenizer->adds_bos());
}

TEST(GgufVocabulary, ControlTokensAreNeverTypedAndUserDefinedOnesAlwaysAre) {
  const auto tokenizer = make_tokenizer(describe_gguf_vocabulary(byte_pairs(), "m.gguf"));
  EXPECT_EQ(spelt(*tokenizer, "<end>"), (Texts{"<", "e", "n", "d", ">"}));
  EXPECT_EQ(spelt(*tokenizer, "<end>", {.parse_special_tokens = true}), (Texts{"<end>"}));
  EXPECT_EQ(spelt(*tokenizer, "a<mark>b"), (Texts{"a", "<mark>", "b"}));
  EXPECT_TRUE(tokenizer->is_special(0));
  EXPECT_FALSE(tokenizer->is_special(1));
}

TEST(GgufVocabulary, TheWayOfCuttingIsTheOneThatIsNamed) {
  Json metadata = byte_pairs();
  metadata["tokenizer.ggml.pre"] = "llama-bpe";  // up to three digits are a word, whole words need no merges
  metadata["tokenizer.ggml.bos_token_id"] = 0;
  const auto tokenizer = make_tokenizer(describe_gguf_vocabulary(metadata, "m.gguf"));
  EXPECT_EQ(spelt(*tokenizer, "12", {.add_special_tokens = false}), (Texts{"12"}));
  EXPECT_TRUE(tokenizer->adds_bos());  // where the file does not say, as the family does
  metadata["tokenizer.ggml.add_bos_token"] = false;
  EXPECT_FALSE(make_tokenizer(describe_gguf_vocabulary(metadata, "m.gguf"))->adds_bos());
}

TEST(GgufVocabulary, AWayOfCuttingThatIsNotKnownIsNotGuessed) {
  const auto said = [](const Json& metadata) {
    return sentence_of([&] { describe_gguf_vocabulary(metadata, "m.gguf"); });
  };
  Json metadata = byte_pairs();
  metadata["tokenizer.ggml.pre"] = "default";
  EXPECT_EQ(said(metadata),
            "m.gguf: how a text is cut into words (\"tokenizer.ggml.pre\") is \"default\", which is not known, so its "
            "tokens would be guesses. Get another conversion of the model, or its Hugging Face folder.");
  metadata.erase("tokenizer.ggml.pre");
  EXPECT_NE(said(metadata).find("is not stated"), std::string::npos);
  metadata["tokenizer.ggml.model"] = "bert";
  EXPECT_NE(said(metadata).find("of the kind \"bert\""), std::string::npos);
}

TEST(GgufVocabulary, SentencePiecesAreJoinedByScore) {
  const auto tokenizer = make_tokenizer(describe_gguf_vocabulary(pieces(), "m.gguf"));
  EXPECT_EQ(spelt(*tokenizer, "ab"), (Texts{"<s>", "▁ab"}));
  EXPECT_EQ(spelt(*tokenizer, "é", {.add_special_tokens = false}), (Texts{"▁", "<0xC3>", "<0xA9>"}));
  EXPECT_EQ(tokenizer->decode(tokenizer->encode("ab é").ids, {.skip_special_tokens = true}), "ab é");
  EXPECT_EQ(tokenizer->eos(), 2);
  Json metadata = pieces();
  metadata["tokenizer.ggml.add_space_prefix"] = false;
  metadata["tokenizer.ggml.add_bos_token"] = false;
  EXPECT_EQ(spelt(*make_tokenizer(describe_gguf_vocabulary(metadata, "m.gguf")), "ab"), (Texts{"a", "b"}));
}

TEST(GgufVocabulary, ListsThatDoNotFitEachOtherAreRefused) {
  const auto said = [](Json metadata, const char* key, const Json& value) {
    metadata[key] = value;
    return sentence_of([&] { describe_gguf_vocabulary(metadata, "m.gguf"); });
  };
  EXPECT_NE(said(pieces(), "tokenizer.ggml.scores", {1, 2}).find("has 2 members for 264 tokens"), std::string::npos);
  EXPECT_NE(said(pieces(), "tokenizer.ggml.token_type", {1}).find("has 1 members"), std::string::npos);
  EXPECT_NE(said(byte_pairs(), "tokenizer.ggml.eos_token_id", 99).find("is 99, but there are 19 tokens"),
            std::string::npos);
  EXPECT_NE(said(byte_pairs(), "tokenizer.ggml.tokens", Json::array({"a", "\xFF"})).find("no UTF-8 at place 1"),
            std::string::npos);
  EXPECT_NE(said(byte_pairs(), "tokenizer.ggml.eos_token_id", "0").find("is no whole number"), std::string::npos);
  EXPECT_NE(said(byte_pairs(), "tokenizer.chat_template", 1).find("is no text"), std::string::npos);
  EXPECT_NE(said(pieces(), "tokenizer.ggml.token_type", Json(std::vector<int>(264, 77))).find("holds 77"),
            std::string::npos);
  EXPECT_NE(said(byte_pairs(), "tokenizer.ggml.model", 3).find("is not stated"), std::string::npos);
  EXPECT_NE(said(byte_pairs(), "tokenizer.ggml.merges", "a b").find("is missing or no list"), std::string::npos);
}

TEST(GgufVocabulary, TemplatesGoAlong) {
  const auto config = [](const Json& metadata) {
    return parse_json(*describe_gguf_vocabulary(metadata, "m.gguf").tokenizer_config_json, "config");
  };
  Json metadata = byte_pairs();
  EXPECT_EQ(config(metadata)["chat_template"], "{{ messages }}");
  metadata["tokenizer.chat_template.tool_use"] = "tools";
  EXPECT_EQ(to_text(config(metadata)["chat_template"]),
            R"([{"name":"default","template":"{{ messages }}"},{"name":"tool_use","template":"tools"}])");
}

TEST(GgufVocabulary, AFileMayHaveNone) {
  EXPECT_FALSE(has_vocabulary(describe_gguf_vocabulary(Json::object(), "m.gguf")));
  EXPECT_FALSE(has_vocabulary(describe_gguf_vocabulary({{"tokenizer.ggml.model", "no_vocab"}}, "m.gguf")));
}

TEST(WordCutting, NamesStandOnce) {
  for (const char* name : {"gpt-2", "smollm", "llama-bpe", "dbrx", "qwen2", "deepseek-r1-qwen", "tekken", "seed-coder",
                           "deepseek-coder"}) {
    EXPECT_NE(word_cutting_named(name), nullptr) << name;
  }
  EXPECT_EQ(word_cutting_named(""), nullptr);
}

TEST(SentencePieceFile, IsReadAsItWasWritten) {
  const SentencePieceFile file{.pieces = {{"<unk>", 0, SentencePieceFile::PieceType::kUnknown}, {"▁a", -1.5f}},
                               .add_dummy_prefix = false,
                               .remove_extra_whitespaces = false,
                               .escape_whitespaces = true,
                               .is_bpe = true,
                               .has_byte_fallback = true};
  const SentencePieceFile read = read_sentencepiece_file(write_sentencepiece_file(file), "tokenizer.model");
  ASSERT_EQ(read.pieces.size(), 2u);
  EXPECT_EQ(read.pieces[0].type, SentencePieceFile::PieceType::kUnknown);
  EXPECT_EQ(read.pieces[1].text, "▁a");
  EXPECT_EQ(read.pieces[1].score, -1.5f);
  EXPECT_FALSE(read.add_dummy_prefix);
  EXPECT_FALSE(read.remove_extra_whitespaces);
  EXPECT_TRUE(read.escape_whitespaces);
  EXPECT_TRUE(read.is_bpe);
  EXPECT_TRUE(read.has_byte_fallback);
}

}  // namespace
}  // namespace anneal::datasets
