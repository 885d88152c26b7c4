#pragma once
// The alphabet of byte-level tokenizers: each byte has one printable character, so that a vocabulary of texts can hold
// any bytes. Printable Latin-1 bytes stand for themselves, the other 68 for U+0100 and the following in order.

#include <array>
#include <cstdint>
#include <string_view>

#include "datasets/tokenizers/unicode/utf8.h"

namespace anneal::datasets {

inline constexpr int kNoByte = -1;

constexpr bool stands_for_itself(int byte) {
  return (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
}

inline constexpr std::array<char32_t, 256> kByteCharacters = [] {
  std::array<char32_t, 256> characters{};
  char32_t next = 0x100;
  for (int byte = 0; byte < 256; ++byte) {
    characters[static_cast<std::size_t>(byte)] = stands_for_itself(byte) ? static_cast<char32_t>(byte) : next++;
  }
  return characters;
}();

// kNoByte for a character outside the alphabet.
inline constexpr std::array<int16_t, 0x144> kCharacterBytes = [] {
  std::array<int16_t, 0x144> bytes{};
  bytes.fill(kNoByte);
  for (int byte = 0; byte < 256; ++byte)
    bytes[kByteCharacters[static_cast<std::size_t>(byte)]] = static_cast<int16_t>(byte);
  return bytes;
}();
constexpr int byte_of(char32_t code) { return code < kCharacterBytes.size() ? kCharacterBytes[code] : kNoByte; }

inline char32_t character_of(char byte) { return kByteCharacters[static_cast<unsigned char>(byte)]; }

// The bytes of `text`, spelt in the alphabet, are added to `spelt`.
inline void append_in_byte_alphabet(std::string& spelt, std::string_view text) {
  for (const char byte : text) append_character(spelt, character_of(byte));
}

}  // namespace anneal::datasets
