#pragma once
// Where a text may be cut before a BPE model sees it without changing a single token: between two characters that stand
// side by side in none of its pieces, no merge can ever reach over. Most ends of words are such places, so a long text
// becomes many short ones, most of which were seen before.

#include <cstdint>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "datasets/tokenizers/sentencepiece/model_file.h"

namespace anneal::datasets {

class SafeCuts {
 public:
  explicit SafeCuts(const SentencePieceFile& file);

  // False for models whose tokens depend on more than their own characters: sums of scores over a whole text, a map of
  // characters, blanks that are taken out, unknown characters that are joined.
  static bool are_known_for(const SentencePieceFile& file);

  // The parts' ends, in bytes of the text, which is not empty.
  void find(std::string_view text, std::vector<uint32_t>& ends) const;

 private:
  std::unordered_set<uint64_t> neighbours_;  // pairs of characters that stand together in a piece
};

}  // namespace anneal::datasets
