#include "datasets/tokenizers/unicode/character_classes.h"

#include <utf8proc.h>

#include <algorithm>

#include "datasets/tokenizers/unicode/character_tables.h"

namespace anneal::datasets {
namespace {

bool contains(std::span<const uint32_t> boundaries, char32_t code) {
  const auto behind = std::upper_bound(boundaries.begin(), boundaries.end(), static_cast<uint32_t>(code));
  return (behind - boundaries.begin()) % 2 == 1;
}

bool is_between(char32_t code, char32_t first, char32_t last) { return code >= first && code <= last; }

bool is_ascii_letter(char32_t code) { return is_between(code | 0x20, 'a', 'z'); }
bool is_ascii_digit(char32_t code) { return is_between(code, '0', '9'); }

}  // namespace

bool is_white_space(char32_t code) {
  if (code < 0x80) return code == ' ' || is_between(code, 0x09, 0x0D);
  return code == 0x85 || code == 0xA0 || code == 0x1680 || is_between(code, 0x2000, 0x200A) || code == 0x2028 ||
         code == 0x2029 || code == 0x202F || code == 0x205F || code == 0x3000;
}

bool is_numeric(char32_t code) { return code < 0x80 ? is_ascii_digit(code) : contains(numeric_boundaries(), code); }

bool is_punctuation(char32_t code) {
  if (code < 0x80) return is_between(code, '!', '~') && !is_ascii_digit(code) && !is_ascii_letter(code);
  return contains(punctuation_boundaries(), code);
}

bool is_word_character(char32_t code) {
  if (code < 0x80) return is_ascii_letter(code) || is_ascii_digit(code) || code == '_';
  return contains(word_boundaries(), code);
}

bool is_other(char32_t code) { return contains(other_boundaries(), code); }
bool is_mark(char32_t code) { return code >= 0x300 && contains(mark_boundaries(), code); }
bool is_nonspacing_mark(char32_t code) { return code >= 0x300 && contains(nonspacing_mark_boundaries(), code); }

bool is_cjk_ideograph(char32_t code) {
  return is_between(code, 0x4E00, 0x9FFF) || is_between(code, 0x3400, 0x4DBF) || is_between(code, 0x20000, 0x2A6DF) ||
         is_between(code, 0x2A700, 0x2B73F) || is_between(code, 0x2B740, 0x2B81F) ||
         is_between(code, 0x2B920, 0x2CEAF) || is_between(code, 0xF900, 0xFAFF) || is_between(code, 0x2F800, 0x2FA1F);
}

uint32_t script_of(char32_t code) {
  const auto ranges = script_ranges();
  const auto behind = std::upper_bound(ranges.begin(), ranges.end(), code,
                                       [](char32_t value, const ScriptRange& range) { return value < range.first; });
  if (behind == ranges.begin()) return 0;
  const ScriptRange& range = *(behind - 1);
  return code <= range.last ? range.script : 0;
}

char32_t lower_case_of(char32_t code) {
  if (code < 0x80) return is_between(code, 'A', 'Z') ? code + 0x20 : code;
  for (const LowerCase& newer : newer_lower_cases()) {
    if (newer.upper == code) return newer.lower;
  }
  return static_cast<char32_t>(utf8proc_tolower(static_cast<utf8proc_int32_t>(code)));
}

}  // namespace anneal::datasets
