#include "datasets/templates/jinja/unicode.h"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

namespace anneal::datasets::jinja {
namespace {

using unicode_exceptions::CodeRange;
using unicode_exceptions::LongMapping;

utf8proc_category_t category(char32_t code) { return utf8proc_category(static_cast<utf8proc_int32_t>(code)); }

bool holds(std::span<const CodeRange> ranges, char32_t code) {
  const auto after = std::upper_bound(ranges.begin(), ranges.end(), code,
                                      [](char32_t c, const CodeRange& range) { return c < range.first; });
  return after != ranges.begin() && code <= std::prev(after)->last;
}

const char* long_mapping(std::span<const LongMapping> mappings, char32_t code) {
  const auto found = std::lower_bound(mappings.begin(), mappings.end(), code,
                                      [](const LongMapping& mapping, char32_t c) { return mapping.code < c; });
  return found != mappings.end() && found->code == code ? found->mapped : nullptr;
}

template <class Simple>
void append_mapped(std::string& text, char32_t code, std::span<const LongMapping> longer, Simple simple) {
  if (const char* mapped = long_mapping(longer, code)) {
    text += mapped;
  } else {
    append_character(text, static_cast<char32_t>(simple(static_cast<utf8proc_int32_t>(code))));
  }
}

bool is_stray(char32_t code) { return code >= 0xD800 && code < 0xE000; }

}  // namespace

Character character_at(std::string_view text, std::size_t place) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[place + i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return {first, 1};
  const std::size_t size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  const Character stray{static_cast<char32_t>(0xDC00 + first), 1};
  if (first < 0xC2 || first > 0xF4 || place + size > text.size()) return stray;
  char32_t code = first & (0xFFu >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return stray;
    code = code << 6 | (byte(i) & 0x3Fu);
  }
  const bool overlong = (size == 3 && code < 0x800) || (size == 4 && code < 0x10000);
  if (overlong || code > 0x10FFFF || is_stray(code)) return stray;
  return {code, size};
}

Character character_before(std::string_view text, std::size_t end) {
  for (std::size_t size = 1; size <= 4 && size <= end; ++size) {
    if ((static_cast<unsigned char>(text[end - size]) & 0xC0) == 0x80) continue;
    const Character found = character_at(text.substr(0, end), end - size);
    if (found.size == size) return found;
    break;
  }
  return {static_cast<char32_t>(0xDC00 + static_cast<unsigned char>(text[end - 1])), 1};
}

void append_character(std::string& text, char32_t code) {
  const auto put = [&](char32_t bits) { text += static_cast<char>(bits); };
  if (code < 0x80) {
    put(code);
  } else if (is_stray(code)) {
    put(code - 0xDC00);
  } else if (code < 0x800) {
    put(0xC0 | code >> 6);
    put(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    put(0xE0 | code >> 12);
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  } else {
    put(0xF0 | code >> 18);
    put(0x80 | (code >> 12 & 0x3F));
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  }
}

bool is_ascii(std::string_view text) {
  const char* at = text.data();
  std::size_t left = text.size();
  for (; left >= 8; left -= 8, at += 8) {
    uint64_t eight = 0;
    std::memcpy(&eight, at, 8);
    if ((eight & 0x8080808080808080u) != 0) return false;
  }
  for (; left > 0; --left, ++at) {
    if (static_cast<unsigned char>(*at) >= 0x80) return false;
  }
  return true;
}

std::size_t count_characters(std::string_view text) { return character_of_byte(text, text.size()); }

std::size_t byte_of_character(std::string_view text, std::size_t index) {
  if (index >= text.size()) return text.size();
  if (is_ascii(text)) return index;
  std::size_t at = 0;
  for (; index > 0 && at < text.size(); --index) at += character_at(text, at).size;
  return at;
}

std::size_t character_of_byte(std::string_view text, std::size_t place) {
  if (is_ascii(text.substr(0, place))) return place;
  std::size_t count = 0;
  for (std::size_t at = 0; at < place; at += character_at(text, at).size) ++count;
  return count;
}

bool is_space(char32_t code) {
  if (code < 0x80) return code == ' ' || (code >= 0x09 && code <= 0x0D) || (code >= 0x1C && code <= 0x1F);
  return code == 0x85 || code == 0xA0 || code == 0x1680 || (code >= 0x2000 && code <= 0x200A) || code == 0x2028 ||
         code == 0x2029 || code == 0x202F || code == 0x205F || code == 0x3000;
}

bool is_printable(char32_t code) {
  if (code < 0x80) return code >= 0x20 && code < 0x7F;
  switch (category(code)) {
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_CS:
    case UTF8PROC_CATEGORY_CO:
    case UTF8PROC_CATEGORY_CN:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
    case UTF8PROC_CATEGORY_ZS:
      return false;
    default:
      return true;
  }
}

bool is_letter(char32_t code) {
  const utf8proc_category_t kind = category(code);
  return kind >= UTF8PROC_CATEGORY_LU && kind <= UTF8PROC_CATEGORY_LO;
}
bool is_decimal(char32_t code) { return category(code) == UTF8PROC_CATEGORY_ND; }
bool is_digit(char32_t code) { return is_decimal(code) || holds(unicode_exceptions::kDigits, code); }
bool is_numeric(char32_t code) {
  const utf8proc_category_t kind = category(code);
  return (kind >= UTF8PROC_CATEGORY_ND && kind <= UTF8PROC_CATEGORY_NO) || holds(unicode_exceptions::kNumeric, code);
}
bool is_lower(char32_t code) {
  return category(code) == UTF8PROC_CATEGORY_LL || holds(unicode_exceptions::kLowercase, code);
}
bool is_upper(char32_t code) {
  return category(code) == UTF8PROC_CATEGORY_LU || holds(unicode_exceptions::kUppercase, code);
}
bool is_title(char32_t code) { return category(code) == UTF8PROC_CATEGORY_LT; }

bool is_case_ignorable(char32_t code) {
  switch (category(code)) {
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_ME:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_SK:
      return true;
    default:
      break;
  }
  constexpr std::array<char32_t, 16> kMarks = {'\'',   '.',    ':',    0xB7,   0x387,  0x55F,  0x5F4,  0x2018,
                                               0x2019, 0x2024, 0x2027, 0xFE13, 0xFE52, 0xFE55, 0xFF07, 0xFF0E};
  return std::find(kMarks.begin(), kMarks.end(), code) != kMarks.end() || code == 0xFF1A;
}

bool is_word(char32_t code) { return code == '_' || is_letter(code) || is_numeric(code); }
bool is_identifier_start(char32_t code) {
  return code == '_' || is_letter(code) || category(code) == UTF8PROC_CATEGORY_NL;
}
bool is_identifier_part(char32_t code) {
  if (is_identifier_start(code)) return true;
  switch (category(code)) {
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_PC:
      return true;
    default:
      return false;
  }
}

int decimal_value(char32_t code) {
  // Decimal digits stand in runs of ten that begin where the one before is no digit.
  if (code < 0x80) return static_cast<int>(code - '0');
  int value = 0;
  while (value < 50 && is_decimal(code - 1)) {
    --code;
    ++value;
  }
  return value % 10;
}

void append_upper(std::string& text, char32_t code) {
  append_mapped(text, code, unicode_exceptions::kUpper, utf8proc_toupper);
}
void append_lower(std::string& text, char32_t code) {
  append_mapped(text, code, unicode_exceptions::kLower, utf8proc_tolower);
}
void append_title(std::string& text, char32_t code) {
  append_mapped(text, code, unicode_exceptions::kTitle, utf8proc_totitle);
}
void append_folded(std::string& text, char32_t code) {
  std::array<utf8proc_int32_t, 8> folded{};
  int last_class = 0;
  const utf8proc_ssize_t count = is_stray(code)
                                     ? 0
                                     : utf8proc_decompose_char(static_cast<utf8proc_int32_t>(code), folded.data(),
                                                               folded.size(), UTF8PROC_CASEFOLD, &last_class);
  if (count <= 0) return append_character(text, code);
  for (utf8proc_ssize_t i = 0; i < count; ++i) {
    append_character(text, static_cast<char32_t>(folded[static_cast<std::size_t>(i)]));
  }
}

}  // namespace anneal::datasets::jinja
