#pragma once
// Characters as Python's str knows them. Texts are UTF-8; a byte that is no part of a character counts as one of its
// own.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace anneal::datasets::jinja {

struct Character {
  char32_t code = 0;     // for a stray byte: 0xDC00 + the byte, as Python's surrogateescape has it
  std::size_t size = 1;  // in bytes
};

Character character_at(std::string_view text, std::size_t place);
// The character that ends at `end`, which is not 0.
Character character_before(std::string_view text, std::size_t end);
void append_character(std::string& text, char32_t code);

bool is_ascii(std::string_view text);
std::size_t count_characters(std::string_view text);
// Where character number `index` begins, in bytes; the end of the text if it has fewer.
std::size_t byte_of_character(std::string_view text, std::size_t index);
// How many characters begin before the byte.
std::size_t character_of_byte(std::string_view text, std::size_t place);

bool is_space(char32_t code);
bool is_printable(char32_t code);
bool is_letter(char32_t code);   // str.isalpha
bool is_decimal(char32_t code);  // str.isdecimal
bool is_digit(char32_t code);    // str.isdigit
bool is_numeric(char32_t code);  // str.isnumeric
bool is_lower(char32_t code);
bool is_upper(char32_t code);
bool is_title(char32_t code);  // a title-case letter, such as Dž
inline bool is_cased(char32_t code) { return is_lower(code) || is_upper(code) || is_title(code); }
bool is_case_ignorable(char32_t code);
bool is_word(char32_t code);  // \w of a regular expression
bool is_identifier_start(char32_t code);
bool is_identifier_part(char32_t code);
int decimal_value(char32_t code);  // of a character with is_decimal

// Appends the character's mapping, which may be several characters.
void append_upper(std::string& text, char32_t code);
void append_lower(std::string& text, char32_t code);
void append_title(std::string& text, char32_t code);
void append_folded(std::string& text, char32_t code);

// Where Python differs from the plain tables; see make_unicode_exceptions.py.
namespace unicode_exceptions {
struct CodeRange {
  char32_t first, last;
};
struct LongMapping {
  char32_t code;
  const char* mapped;
};
extern const std::span<const CodeRange> kLowercase, kUppercase, kDigits, kNumeric;
extern const std::span<const LongMapping> kUpper, kLower, kTitle;
}  // namespace unicode_exceptions

}  // namespace anneal::datasets::jinja
