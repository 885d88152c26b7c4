#include "datasets/tokenizers/tokenizer.h"

#include <gtest/gtest.h>

#include "tests/datasets/tokenizers/tiny_tokenizer.h"

namespace anneal::datasets {
namespace {

using tests::from_json;
using tests::Ids;
using tests::Spans;

// One token a byte, ids 0 to 255 in the byte alphabet's order: printable ASCII from 0 ('!') on.
std::string byte_tokenizer(const std::string& normalizer) {
  std::string vocab;
  int id = 0;
  for (char32_t code = 0x21; code < 0x144; ++code) {
    if ((code > 0x7E && code < 0xA1) || code == 0xAD) continue;
    std::string text;
    if (code < 0x80) {
      text = code == '"' || code == '\\' ? std::string("\\") + static_cast<char>(code)
                                         : std::string(1, static_cast<char>(code));
    } else {
      text = {static_cast<char>(0xC0 | (code >> 6)), static_cast<char>(0x80 | (code & 0x3F))};
    }
    vocab += (id == 0 ? "\"" : ",\"") + text + "\":" + std::to_string(id);
    ++id;
  }
  EXPECT_EQ(id, 256);
  return R"({"normalizer":)" + normalizer +
         R"(,"pre_tokenizer":{"type":"ByteLevel","add_prefix_space":false,"use_regex":false},
         "decoder":{"type":"ByteLevel"},"model":{"type":"BPE","merges":[],"vocab":{)" +
         vocab + "}}}";
}

TEST(Tokenizer, CaseC04NormalisesExactlyAsTheFileSays) {
  const auto round_trip = [](const std::string& normalizer, const std::string& text) {
    const auto tokenizer = from_json(byte_tokenizer(normalizer));
    return tokenizer->decode(tokenizer->encode(text).ids);
  };
  const std::string composed = "\xC3\xA9";
  const std::string decomposed = "e\xCC\x81";
  const std::string syllable = "\xEA\xB0\x81";
  const std::string jamo = "\xE1\x84\x80\xE1\x85\xA1\xE1\x86\xA8";
  EXPECT_EQ(round_trip("null", decomposed), decomposed);
  EXPECT_EQ(round_trip(R"({"type":"NFC"})", decomposed), composed);
  EXPECT_EQ(round_trip(R"({"type":"NFC"})", composed), composed);
  EXPECT_EQ(round_trip(R"({"type":"NFD"})", composed), decomposed);
  EXPECT_EQ(round_trip(R"({"type":"NFC"})", jamo), syllable);
  EXPECT_EQ(round_trip(R"({"type":"NFD"})", syllable), jamo);
  EXPECT_EQ(round_trip(R"({"type":"NFC"})", "Kant\xC5\x8D"), "Kant\xC5\x8D");
  EXPECT_EQ(round_trip(R"({"type":"NFKC"})", "\xEF\xAC\x81"), "fi");
}

TEST(Tokenizer, OffsetsAreThoseOfTheTextBeforeNormalisation) {
  const auto tokenizer = from_json(byte_tokenizer(R"({"type":"NFKC"})"));
  // "½x": three bytes and more for one character of two.
  const Encoding encoding = tokenizer->encode("\xC2\xBDx");
  EXPECT_EQ(tokenizer->decode(encoding.ids),
            "1\xE2\x81\x84"
            "2x");
  EXPECT_EQ(encoding.offsets, (Spans{{0, 2}, {0, 2}, {0, 2}, {0, 2}, {0, 2}, {2, 3}}));
}

TEST(Tokenizer, EachTokenOfACharacterCoversIt) {
  const auto tokenizer = from_json(byte_tokenizer("null"));
  EXPECT_EQ(tokenizer->encode("a\xF0\x9F\x99\x82").offsets, (Spans{{0, 1}, {1, 5}, {1, 5}, {1, 5}, {1, 5}}));
}

TEST(Tokenizer, BytesThatAreNoTextBecomeOneReplacementEach) {
  const auto tokenizer = from_json(byte_tokenizer("null"));
  const Encoding encoding = tokenizer->encode("a\xFF\xC3");
  EXPECT_EQ(tokenizer->decode(encoding.ids), "a\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(encoding.offsets, (Spans{{0, 1}, {1, 2}, {1, 2}, {1, 2}, {2, 3}, {2, 3}, {2, 3}}));
}

// B05: the mask is made from offsets, so a marker that is cut differently inside a text does no harm.
TEST(Tokenizer, CaseB05AnAnswersFirstTokenIsFoundByItsOffsets) {
  const auto tokenizer = from_json(
      R"({"normalizer":null,"pre_tokenizer":{"type":"Metaspace","replacement":"▁","prepend_scheme":"first","split":false},
      "decoder":null,"model":{"type":"BPE","unk_token":"?","vocab":{"?":0,"▁":1,"#":2,"##":3,"▁##":4,"▁###":5,"\n":6,"h":7,
      "i":8,"hi":9,"▁hi":10,":":11},"merges":["# #","▁ ##","▁## #","h i","▁ hi"]}})");
  const std::string alone = "###";
  const std::string text = ".\n###: hi";
  EXPECT_EQ(tokenizer->encode(alone).ids, (Ids{5}));
  const Encoding encoding = tokenizer->encode(text);
  EXPECT_EQ(encoding.ids, (Ids{1, 0, 6, 3, 2, 11, 10}));
  const Span answer{text.find("hi"), text.size()};
  std::vector<bool> learn;
  for (const Span& span : encoding.offsets) learn.push_back(span.overlaps(answer));
  EXPECT_EQ(learn, (std::vector<bool>{false, false, false, false, false, false, true}));
}

TEST(StreamDecoder, CaseC05HoldsBackAnIncompleteCharacter) {
  const auto tokenizer = from_json(byte_tokenizer("null"));
  const auto bytes = [&](const std::string& text) { return tokenizer->encode(text).ids; };
  const Ids smile = bytes("\xF0\x9F\x99\x82");
  ASSERT_EQ(smile.size(), 4u);
  StreamDecoder decoder(*tokenizer);
  EXPECT_EQ(decoder.append(smile[0]), "");
  EXPECT_EQ(decoder.append(smile[1]), "");
  EXPECT_EQ(decoder.append(smile[2]), "");
  EXPECT_EQ(decoder.append(smile[3]), "\xF0\x9F\x99\x82");
  EXPECT_EQ(decoder.flush(), "");

  StreamDecoder stopped(*tokenizer);
  EXPECT_EQ(stopped.append(bytes("a")[0]), "a");
  EXPECT_EQ(stopped.append(smile[0]), "");
  EXPECT_EQ(stopped.append(smile[1]), "");
  EXPECT_EQ(stopped.flush(), "\xEF\xBF\xBD");
  EXPECT_EQ(tokenizer->decode(Ids{bytes("a")[0], smile[0], smile[1]}), "a\xEF\xBF\xBD");
}

TEST(StreamDecoder, CaseC05AFamilyOfFourStaysWhole) {
  const auto tokenizer = from_json(byte_tokenizer("null"));
  const std::string family = "\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x91\xA7";
  const Ids ids = tokenizer->encode(family).ids;
  StreamDecoder decoder(*tokenizer);
  std::string text;
  for (const Token id : ids) {
    const std::string piece = decoder.append(id);
    EXPECT_EQ(piece.find("\xEF\xBF\xBD"), std::string::npos);
    text += piece;
  }
  EXPECT_EQ(text + decoder.flush(), family);
  EXPECT_EQ(text, tokenizer->decode(ids));
}

TEST(StreamDecoder, FallbackBytesWaitForTheEndOfTheirRun) {
  const auto tokenizer = from_json(
      R"({"decoder":{"type":"Sequence","decoders":[{"type":"ByteFallback"},{"type":"Fuse"}]},
      "model":{"type":"WordLevel","unk_token":"?","vocab":{"?":0,"<0xC3>":1,"<0xA9>":2,"x":3}}})");
  StreamDecoder decoder(*tokenizer);
  EXPECT_EQ(decoder.append(1), "");
  EXPECT_EQ(decoder.append(2), "");
  EXPECT_EQ(decoder.append(3), "\xC3\xA9x");
  EXPECT_EQ(decoder.append(1), "");
  EXPECT_EQ(decoder.flush(), "\xEF\xBF\xBD");
}

TEST(StreamDecoder, CleaningUpWaitsForWhatFollowsABlank) {
  const auto tokenizer = from_json(byte_tokenizer("null"), R"({"clean_up_tokenization_spaces":true})");
  const Ids ids = tokenizer->encode("a . do n't ' x '").ids;
  const std::string expected = "a. don't'x '";
  EXPECT_EQ(tokenizer->decode(ids), expected);
  EXPECT_EQ(tokenizer->decode(ids, {.clean_up = false}), "a . do n't ' x '");
  StreamDecoder decoder(*tokenizer);
  std::string text;
  for (const Token id : ids) text += decoder.append(id);
  EXPECT_EQ(text + decoder.flush(), expected);
}

TEST(Tokenizer, IdsWithoutATokenArePassedOver) {
  const auto tokenizer = from_json(byte_tokenizer("null"));
  EXPECT_EQ(tokenizer->decode(Ids{tokenizer->encode("a").ids[0], 999, -1}), "a");
  EXPECT_EQ(tokenizer->token_text(999), std::nullopt);
  EXPECT_EQ(tokenizer->token_text(0), "!");
  EXPECT_EQ(tokenizer->id_of("!"), 0);
  EXPECT_EQ(tokenizer->vocabulary_size(), 256);
}

TEST(Tokenizer, AnEmptyTextHasNoTokens) {
  const auto tokenizer = from_json(byte_tokenizer(R"({"type":"NFC"})"));
  EXPECT_TRUE(tokenizer->encode("").ids.empty());
  EXPECT_EQ(tokenizer->decode({}), "");
}

TEST(Tokenizer, BatchesAreTheSameOnAnyNumberOfThreads) {
  const auto tokenizer = from_json(byte_tokenizer(R"({"type":"NFC"})"));
  std::vector<std::string> texts;
  for (int i = 0; i < 200; ++i) texts.push_back("text e\xCC\x81 number " + std::to_string(i));
  const auto one = encode_batch(*tokenizer, texts, {}, 1);
  const auto four = encode_batch(*tokenizer, texts, {}, 4);
  ASSERT_EQ(one.size(), texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) {
    EXPECT_EQ(one[i].ids, four[i].ids);
    EXPECT_EQ(one[i].offsets, four[i].offsets);
    EXPECT_EQ(one[i].ids, tokenizer->encode(texts[i]).ids);
  }
}

TEST(Tokenizer, TheFirstErrorOfABatchIsThrown) {
  const auto tokenizer = from_json(R"({"model":{"type":"WordLevel","unk_token":"?","vocab":{"a":0}}})");
  const std::vector<std::string> texts = {"a", "b", "a"};
  EXPECT_THROW(encode_batch(*tokenizer, texts, {}, 2), Error);
}

TEST(Tokenizer, ContentHashChangesWithAnyFile) {
  const std::string json = byte_tokenizer("null");
  const auto hash = [&](const TokenizerFiles& files) { return make_tokenizer(files)->content_hash(); };
  const std::string plain = hash(tests::json_files(json));
  EXPECT_EQ(plain.size(), 32u);
  EXPECT_EQ(plain, hash(tests::json_files(json)));
  EXPECT_NE(plain, hash(tests::json_files(json + " ")));
  EXPECT_NE(plain, hash(tests::json_files(json, "{}")));
}

}  // namespace
}  // namespace anneal::datasets
