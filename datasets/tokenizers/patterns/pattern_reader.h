#pragma once
// The signs of an Oniguruma pattern: characters, escapes, quantifiers and character classes.

#include <optional>
#include <string>
#include <string_view>

#include "datasets/tokenizers/patterns/character_set.h"

namespace anneal::datasets {

class PatternReader {
 public:
  // Both must outlive the reader; the pattern is valid UTF-8.
  PatternReader(const std::string& pattern, const std::string& where) : pattern_(pattern), where_(where) {}

  bool at_end() const { return at_ >= pattern_.size(); }
  char peek() const { return pattern_[at_]; }  // the next byte
  char32_t next();                             // the next character
  bool take(char expected);
  bool take(std::string_view expected);
  std::string until(char end);  // and over it
  std::size_t position() const { return at_; }
  void go_back_to(std::size_t position) { at_ = position; }

  // A quantifier in PCRE2's terms, if one is next.
  std::optional<std::string> quantifier();
  // Behind "[": a class with what is nested in it, up to its "]".
  CharacterSet character_class();
  // Behind "\": \d, \s, \w, \h, \p{…} and their opposites, if one is next.
  std::optional<CharacterSet> class_escape();
  // Behind "\": any other escape that stands for one character.
  char32_t character_escape();

  // Throws Error(kInput): "… the regular expression "…" <what> …".
  [[noreturn]] void fail(std::string_view what) const;

 private:
  std::optional<std::string> interval();
  std::optional<unsigned> number();
  CharacterSet property(bool is_negated);
  CharacterSet class_operand();
  std::optional<CharacterSet> posix_bracket();
  char32_t class_character();
  char32_t hexadecimal(std::size_t most_digits);
  char32_t braced_code(unsigned base);
  char32_t escaped_bytes(unsigned char first);

  std::string_view pattern_;
  const std::string& where_;
  std::size_t at_ = 0;
  int class_depth_ = 0;
};

}  // namespace anneal::datasets
