#pragma once
// Characters in UTF-8 text. Unless said otherwise the text is valid: encode() sees to it.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace anneal::datasets {

inline constexpr std::string_view kReplacementCharacter = "\xEF\xBF\xBD";  // U+FFFD

struct Character {
  char32_t code;
  std::size_t size;  // bytes
};

inline bool is_continuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

inline std::size_t character_size(char lead) {
  const auto byte = static_cast<unsigned char>(lead);
  return byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
}

inline Character character_at(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<char32_t>(static_cast<unsigned char>(text[at + i])); };
  const char32_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  if (lead < 0xE0) return {((lead & 0x1F) << 6) | (byte(1) & 0x3F), 2};
  if (lead < 0xF0) return {((lead & 0x0F) << 12) | ((byte(1) & 0x3F) << 6) | (byte(2) & 0x3F), 3};
  return {((lead & 0x07) << 18) | ((byte(1) & 0x3F) << 12) | ((byte(2) & 0x3F) << 6) | (byte(3) & 0x3F), 4};
}

// The character that ends at byte `end` (end > 0).
inline Character character_before(std::string_view text, std::size_t end) {
  std::size_t at = end - 1;
  while (at > 0 && is_continuation(text[at])) --at;
  return character_at(text, at);
}

inline void append_character(std::string& text, char32_t code) {
  if (code < 0x80) {
    text += static_cast<char>(code);
  } else if (code < 0x800) {
    text += {static_cast<char>(0xC0 | (code >> 6)), static_cast<char>(0x80 | (code & 0x3F))};
  } else if (code < 0x10000) {
    text += {static_cast<char>(0xE0 | (code >> 12)), static_cast<char>(0x80 | ((code >> 6) & 0x3F)),
             static_cast<char>(0x80 | (code & 0x3F))};
  } else {
    text += {static_cast<char>(0xF0 | (code >> 18)), static_cast<char>(0x80 | ((code >> 12) & 0x3F)),
             static_cast<char>(0x80 | ((code >> 6) & 0x3F)), static_cast<char>(0x80 | (code & 0x3F))};
  }
}

inline std::size_t count_characters(std::string_view text) {
  std::size_t count = 0;
  for (const char byte : text) count += is_continuation(byte) ? 0 : 1;
  return count;
}

// Calls visit(code, at, size) for each character.
template <class Visit>
void for_each_character(std::string_view text, Visit visit) {
  for (std::size_t at = 0; at < text.size();) {
    const Character character = character_at(text, at);
    visit(character.code, at, character.size);
    at += character.size;
  }
}

bool is_ascii(std::string_view text);
bool is_valid_utf8(std::string_view text);

// How the bytes from `at` on begin: a whole character (size > 0), or what is wrong with them.
struct Utf8Start {
  std::size_t size = 0;         // of the whole character, or 0
  std::size_t broken_size = 0;  // bytes that belong together and stand for one U+FFFD
  bool needs_more = false;      // all of the text's rest could still become a character
};
Utf8Start utf8_start(std::string_view text, std::size_t at);

}  // namespace anneal::datasets
