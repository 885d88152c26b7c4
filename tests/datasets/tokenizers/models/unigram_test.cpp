#include <gtest/gtest.h>

#include "tests/datasets/tokenizers/tiny_tokenizer.h"

namespace anneal::datasets {
namespace {

using tests::from_json;
using tests::Ids;
using tests::Spans;

TEST(Unigram, TakesTheCutOfTheLargestSum) {
  const auto tokenizer = from_json(
      R"({"model":{"type":"Unigram","unk_id":0,"vocab":[["?",0],["a",0],["b",0],["c",0],["d",0],["cd",1],["ab",2],["abc",5],
      ["abcd",10]]}})");
  // abcd, then a + cd (1) rather than ac…; x and x are one unknown.
  EXPECT_EQ(tokenizer->encode("abcdacdxx").ids, (Ids{8, 1, 5, 0}));
  EXPECT_EQ(tokenizer->encode("abcdacdxx").offsets, (Spans{{0, 4}, {4, 5}, {5, 7}, {7, 9}}));
}

TEST(Unigram, UnknownCharactersInBytesCoverThemselvesOnly) {
  const auto tokenizer = from_json(
      R"({"model":{"type":"Unigram","unk_id":0,"byte_fallback":true,"vocab":[["?",0],["a",0],["<0xC3>",0],["<0xA9>",0],
      ["<0xA8>",0]]}})");
  const Encoding encoding = tokenizer->encode("a\xC3\xA9\xC3\xA8");
  EXPECT_EQ(encoding.ids, (Ids{1, 2, 3, 2, 4}));
  EXPECT_EQ(encoding.offsets, (Spans{{0, 1}, {1, 3}, {1, 3}, {3, 5}, {3, 5}}));
}

TEST(Unigram, AMegabyteWithoutABlankIsDoneSoon) {
  const auto tokenizer = from_json(R"({"model":{"type":"Unigram","unk_id":0,"vocab":[["?",0],["a",-1],["aaaa",-2]]}})");
  EXPECT_EQ(tokenizer->encode(std::string(1 << 20, 'a')).ids.size(), std::size_t{1} << 18);
}

TEST(WordPiece, AWordOfAMegabyteIsDoneSoon) {
  const auto tokenizer = from_json(
      R"({"model":{"type":"WordPiece","unk_token":"?","max_input_chars_per_word":10000000,"vocab":{"?":0,"a":1,"##a":2}}})");
  EXPECT_EQ(tokenizer->encode(std::string(1 << 20, 'a')).ids.size(), std::size_t{1} << 20);
  EXPECT_EQ(tokenizer->encode(std::string(1000, 'a') + "b").ids, (Ids{0}));
}

}  // namespace
}  // namespace anneal::datasets
