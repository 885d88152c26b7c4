#include "datasets/tokenizers/sentencepiece/safe_cuts.h"

#include <gtest/gtest.h>

namespace anneal::datasets {
namespace {

SentencePieceFile bpe_file(const std::vector<std::string>& pieces) {
  SentencePieceFile file{.remove_extra_whitespaces = false, .is_bpe = true, .has_byte_fallback = true};
  for (const std::string& piece : pieces) file.pieces.push_back({.text = piece});
  return file;
}

TEST(SafeCuts, LieBetweenCharactersThatNoPieceHoldsTogether) {
  const SafeCuts cuts(bpe_file({"▁a", "ab", "▁▁"}));
  std::vector<uint32_t> ends;
  //         0123456
  cuts.find("ab  abb", ends);
  // b|blank, blanks and "▁a" and "ab" may merge, b|b not.
  EXPECT_EQ(ends, (std::vector<uint32_t>{2, 6, 7}));
}

TEST(SafeCuts, AreNotTakenWhereTheWholeTextCounts) {
  EXPECT_TRUE(SafeCuts::are_known_for(bpe_file({"a"})));
  SentencePieceFile unigram = bpe_file({"a"});
  unigram.is_bpe = false;
  EXPECT_FALSE(SafeCuts::are_known_for(unigram));
  SentencePieceFile mapped = bpe_file({"a"});
  mapped.has_character_map = true;
  EXPECT_FALSE(SafeCuts::are_known_for(mapped));
  SentencePieceFile trimmed = bpe_file({"a"});
  trimmed.remove_extra_whitespaces = true;
  EXPECT_FALSE(SafeCuts::are_known_for(trimmed));
  SentencePieceFile without_bytes = bpe_file({"a"});
  without_bytes.has_byte_fallback = false;
  EXPECT_FALSE(SafeCuts::are_known_for(without_bytes));
}

}  // namespace
}  // namespace anneal::datasets
