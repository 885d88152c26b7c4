#pragma once
// Rewrites a piece character by character and carries the origins over.

#include "datasets/tokenizers/aligned_text.h"

namespace anneal::datasets {

class Transform {
 public:
  explicit Transform(PieceText& piece) : piece_(piece) { result_.origin = piece.origin; }

  // The result's next character. change 0: it replaces the source's next one; 1: it is an insertion and comes from
  // where the one before it came from; -n: it replaces one and swallows the n behind it.
  void put(char32_t code, int change);
  // Gives the piece its new text.
  void finish();

 private:
  void skip_character();

  PieceText& piece_;
  PieceText result_;
  std::size_t at_ = 0;  // in the source
};

}  // namespace anneal::datasets
