#pragma once
// Tokens of a text that follows another one, cut exactly at the seam.

#include <string_view>
#include <vector>

#include "datasets/tokenizers/tokenizer.h"

namespace anneal::datasets {

// Some tokenizers put a blank in front of every text; in the middle of a text there must be none. Owns nothing but what
// it found out about the tokenizer, which must outlive it; any number of threads.
class ContinuationEncoder {
 public:
  explicit ContinuationEncoder(const Tokenizer& tokenizer);

  // As a text of its own. Control tokens that are written out stay ordinary text; nothing is added.
  std::vector<Token> encode_start(std::string_view text) const;
  // As the rest of a text whose tokens end exactly where this begins: the tokens of both, decoded together, are the two
  // texts with nothing between.
  std::vector<Token> encode_rest(std::string_view text) const;

 private:
  const Tokenizer& tokenizer_;
  bool puts_something_in_front_ = false;
};

}  // namespace anneal::datasets
