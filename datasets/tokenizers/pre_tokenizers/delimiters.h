#pragma once
// What becomes of the delimiters when a text is cut at them.

#include <string>
#include <string_view>
#include <vector>

#include "datasets/tokenizers/aligned_text.h"
#include "datasets/tokenizers/unicode/utf8.h"

namespace anneal::datasets {

// With "-" as the delimiter, "a-b--c" becomes:
enum class DelimiterBehavior {
  kRemoved,             // a b c
  kIsolated,            // a - b - - c
  kMergedWithPrevious,  // a- b- - c
  kMergedWithNext,      // a -b - -c
  kContiguous,          // a - b -- c
};
// By its name in tokenizer.json. Throws Error(kInput).
DelimiterBehavior delimiter_behavior(const std::string& name, const std::string& where);

// Collects a piece's delimiters from left to right and says where it is cut.
class DelimiterCuts {
 public:
  DelimiterCuts(std::size_t text_size, DelimiterBehavior behavior, bool invert = false)
      : text_size_(text_size), behavior_(behavior), invert_(invert) {}

  void add(std::size_t begin, std::size_t end);
  void finish(std::vector<Cut>& cuts);

 private:
  struct Part {
    Cut cut;
    bool is_delimiter;
  };
  void add_part(std::size_t begin, std::size_t end, bool is_delimiter);

  std::size_t text_size_;
  DelimiterBehavior behavior_;
  bool invert_;  // what lies between the matches is the delimiter
  std::size_t done_ = 0;
  std::vector<Part> parts_;
};

// Cuts all pieces at the characters for which is_delimiter(code) holds.
template <class IsDelimiter>
void split_at_characters(AlignedText& text, DelimiterBehavior behavior, IsDelimiter is_delimiter) {
  text.split([&](std::string_view piece, const Piece&, std::vector<Cut>& cuts) {
    DelimiterCuts delimiters(piece.size(), behavior);
    for_each_character(piece, [&](char32_t code, std::size_t at, std::size_t size) {
      if (is_delimiter(code)) delimiters.add(at, at + size);
    });
    delimiters.finish(cuts);
  });
}

}  // namespace anneal::datasets
