// Control tokens: who may write them, and what stands at the beginning and end of a text.

#include "datasets/tokenizers/control_tokens.h"

#include <gtest/gtest.h>

#include "tests/datasets/tokenizers/tiny_tokenizer.h"

namespace anneal::datasets {
namespace {

using tests::from_json;
using tests::Ids;
using tests::Spans;

// One token a letter; <s> 1, </s> 2, <e> 3; the text is cut at nothing.
std::string letters(const std::string& post_processor = "null", const std::string& more_added = "") {
  return R"({"added_tokens":[{"id":1,"content":"<s>","special":true,"normalized":false},
    {"id":2,"content":"</s>","special":true,"normalized":false},
    {"id":3,"content":"<e>","special":true,"normalized":false})" +
         more_added + R"(],"normalizer":null,"pre_tokenizer":null,"decoder":{"type":"Fuse"},"post_processor":)" +
         post_processor +
         R"(,"model":{"type":"BPE","unk_token":"?","merges":[],"vocab":{"?":0,"<s>":1,"</s>":2,"<e>":3,"a":4,"b":5,"<":6,
         "s":7,">":8,"/":9,"e":10,"h":11,"i":12}}})";
}
constexpr const char* kBosTemplate =
    R"({"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"<s>","type_id":0}},{"Sequence":{"id":"A","type_id":0}}],
    "pair":[],"special_tokens":{"<s>":{"id":"<s>","ids":[1],"tokens":["<s>"]}}})";

TEST(ControlTokens, TypedOnesStayTextUnlessTheyAreParsed) {
  const auto tokenizer = from_json(letters());
  EXPECT_EQ(tokenizer->encode("a<e>b").ids, (Ids{4, 6, 10, 8, 5}));
  const Encoding parsed = tokenizer->encode("a<e>b", {.parse_special_tokens = true});
  EXPECT_EQ(parsed.ids, (Ids{4, 3, 5}));
  EXPECT_EQ(parsed.offsets, (Spans{{0, 1}, {1, 4}, {4, 5}}));
}

TEST(ControlTokens, LiteralRangesKeepTypedOnesFromBecomingControl) {
  const auto tokenizer = from_json(letters());
  //                         0  1..3 4..6
  const std::string text = "<s><e>a<e>";
  const Spans literal = {{3, 7}};  // what a person wrote: "<e>a"
  EXPECT_EQ(tokenizer->encode(text, {.parse_special_tokens = true, .literal = literal}).ids, (Ids{1, 6, 10, 8, 4, 3}));
  const Encoding rendered = encode_rendered(*tokenizer, text, literal);
  EXPECT_EQ(rendered.ids, (Ids{1, 6, 10, 8, 4, 3}));
  EXPECT_EQ(rendered.offsets, (Spans{{0, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 7}, {7, 10}}));
}

TEST(ControlTokens, OneThatReachesIntoALiteralRangeIsNoneButTheNextIs) {
  const auto tokenizer = from_json(letters());
  const Spans literal = {{0, 2}};  // "<e" typed, then the template's ">" and "<e>"
  EXPECT_EQ(encode_rendered(*tokenizer, "<e><e>", literal).ids, (Ids{6, 10, 8, 3}));
}

TEST(ControlTokens, OfAModelsOwnVocabularyAreNotMadeFromText) {
  // "<e>" can be merged from its letters, is a whole word, and is a piece of the best score.
  const std::string added = R"("added_tokens":[{"id":3,"content":"<e>","special":true,"normalized":false}],)";
  const std::string vocab = R"("vocab":{"<":0,"e":1,">":2,"<e>":3,"<e":4})";
  const auto merging = from_json("{" + added + R"("model":{"type":"BPE","merges":["< e","<e >"],)" + vocab + "}}");
  EXPECT_EQ(merging->encode("<e>").ids, (Ids{4, 2}));
  const auto whole =
      from_json("{" + added + R"("model":{"type":"BPE","ignore_merges":true,"merges":[],)" + vocab + "}}");
  EXPECT_EQ(whole->encode("<e>").ids, (Ids{0, 1, 2}));
  const auto unigram =
      from_json("{" + added +
                R"("model":{"type":"Unigram","unk_id":0,"vocab":[["?",0],["<",-9],["e",-9],["<e>",-1],[">",-9]]}})");
  EXPECT_EQ(unigram->encode("<e>").ids, (Ids{1, 2, 4}));
  EXPECT_EQ(unigram->encode("<e>", {.parse_special_tokens = true}).ids, (Ids{3}));
  const auto words = from_json("{" + added + R"("model":{"type":"WordLevel","unk_token":"<",)" + vocab + "}}");
  EXPECT_EQ(words->encode("<e>").ids, (Ids{0}));
}

TEST(ControlTokens, OrdinaryAddedTokensAreAlwaysFound) {
  const auto tokenizer = from_json(letters("null", R"(,{"id":13,"content":"hi","special":false,"normalized":false})"));
  EXPECT_EQ(tokenizer->encode("ahib").ids, (Ids{4, 13, 5}));
  const Spans literal = {{0, 4}};
  EXPECT_EQ(tokenizer->encode("ahib", {.parse_special_tokens = true, .literal = literal}).ids, (Ids{4, 13, 5}));
}

TEST(ControlTokens, ATextsEndIsControlWhateverItsFlagsSay) {
  const auto tokenizer = from_json(letters("null", R"(,{"id":13,"content":"hi","special":false,"normalized":false})"),
                                   R"({"eos_token":"hi"})");
  EXPECT_EQ(tokenizer->eos(), 13);
  EXPECT_TRUE(tokenizer->is_special(13));
  EXPECT_EQ(tokenizer->encode("hi").ids, (Ids{11, 12}));
  EXPECT_EQ(tokenizer->decode(Ids{4, 13}, {.skip_special_tokens = true}), "a");
}

// B11: the begin token stands once, whether the template writes it, the tokenizer adds it, or both; and not at all if
// neither does.
TEST(ControlTokens, CaseB11BeginTokenStandsAtMostOnce) {
  const auto leading_bos = [](const std::string& rendered, const char* config) {
    const auto tokenizer = from_json(letters(kBosTemplate), config);
    const Encoding encoding = encode_rendered(*tokenizer, rendered, {});
    int count = 0;
    while (count < static_cast<int>(encoding.ids.size()) && encoding.ids[static_cast<std::size_t>(count)] == 1) ++count;
    EXPECT_EQ(encoding.ids.size(), encoding.offsets.size());
    return count;
  };
  const char* adds = R"({"bos_token":"<s>","add_bos_token":true})";
  const char* adds_none = R"({"bos_token":"<s>","add_bos_token":false})";
  EXPECT_EQ(leading_bos("<s>ab", adds), 1);
  EXPECT_EQ(leading_bos("<s>ab", adds_none), 1);
  EXPECT_EQ(leading_bos("ab", adds), 1);
  EXPECT_EQ(leading_bos("ab", adds_none), 0);
}

TEST(ControlTokens, CaseB11TwoBeginTokensOfATemplateStay) {
  const auto tokenizer = from_json(letters(kBosTemplate));
  EXPECT_EQ(encode_rendered(*tokenizer, "<s><s>a", {}).ids, (Ids{1, 1, 4}));
}

TEST(ControlTokens, ConfigDecidesWhatIsPutAroundAText) {
  EXPECT_EQ(from_json(letters(kBosTemplate))->encode("a").ids, (Ids{1, 4}));
  EXPECT_EQ(from_json(letters(kBosTemplate))->encode("a", {.add_special_tokens = false}).ids, (Ids{4}));
  const auto both = from_json(letters(), R"({"bos_token":"<s>","eos_token":{"content":"</s>","__type":"AddedToken"},
                                            "add_bos_token":true,"add_eos_token":true})");
  const Encoding encoding = both->encode("a");
  EXPECT_EQ(encoding.ids, (Ids{1, 4, 2}));
  EXPECT_EQ(encoding.offsets, (Spans{{0, 0}, {0, 1}, {1, 1}}));
  EXPECT_TRUE(both->adds_bos());
  EXPECT_TRUE(both->adds_eos());
  const auto none = from_json(letters(kBosTemplate), R"({"add_bos_token":false})");
  EXPECT_EQ(none->encode("a").ids, (Ids{4}));
  EXPECT_FALSE(none->adds_bos());
}

TEST(ControlTokens, NamesComeFromTheConfigElseFromTheOlderFiles) {
  TokenizerFiles files = tests::json_files(letters());
  files.special_tokens_map_json = R"({"bos_token":"<s>","pad_token":{"content":"<pad>","normalized":false}})";
  files.added_tokens_json = R"({"<pad>":13})";
  const auto older = make_tokenizer(files);
  EXPECT_EQ(older->bos(), 1);
  EXPECT_EQ(older->pad(), 13);
  EXPECT_TRUE(older->is_special(13));
  EXPECT_EQ(older->vocabulary_size(), 14);
  files.tokenizer_config_json = R"({"eos_token":"<e>","added_tokens_decoder":{"3":{"content":"<e>","special":true}}})";
  const auto newer = make_tokenizer(files);
  EXPECT_EQ(newer->bos(), std::nullopt);
  EXPECT_EQ(newer->eos(), 3);
}

TEST(ControlTokens, ConfigAddsTokensAndChangesFlags) {
  const auto tokenizer = from_json(letters(), R"({"pad_token":"[PAD]","additional_special_tokens":["<x>"],
    "added_tokens_decoder":{"3":{"content":"<e>","special":true,"normalized":false,"lstrip":true}}})");
  EXPECT_EQ(tokenizer->encode("a <e>", {.parse_special_tokens = true}).ids, (Ids{4, 3}));
  EXPECT_EQ(tokenizer->pad(), 13);
  EXPECT_EQ(tokenizer->id_of("<x>"), 14);
  EXPECT_TRUE(tokenizer->is_special(14));
}

}  // namespace
}  // namespace anneal::datasets
