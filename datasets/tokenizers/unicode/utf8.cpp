#include "datasets/tokenizers/unicode/utf8.h"

#include <cstring>

namespace anneal::datasets {

bool is_ascii(std::string_view text) {
  const char* at = text.data();
  const char* const end = at + text.size();
  for (; end - at >= 8; at += 8) {
    uint64_t eight;
    std::memcpy(&eight, at, sizeof eight);
    if ((eight & 0x8080808080808080U) != 0) return false;
  }
  for (; at < end; ++at) {
    if (static_cast<unsigned char>(*at) >= 0x80) return false;
  }
  return true;
}

bool is_valid_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    if (static_cast<unsigned char>(text[at]) < 0x80) {
      ++at;
      continue;
    }
    const Utf8Start start = utf8_start(text, at);
    if (start.size == 0) return false;
    at += start.size;
  }
  return true;
}

Utf8Start utf8_start(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[at + i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {.size = 1};
  if (lead < 0xC2 || lead > 0xF4) return {.broken_size = 1};
  const std::size_t size = character_size(text[at]);
  // The second byte's range shuts out overlong forms, surrogates and codes beyond U+10FFFF.
  const unsigned char lowest = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
  const unsigned char highest = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
  for (std::size_t i = 1; i < size; ++i) {
    if (at + i == text.size()) return {.broken_size = i, .needs_more = true};
    if (byte(i) < (i == 1 ? lowest : 0x80) || byte(i) > (i == 1 ? highest : 0xBF)) return {.broken_size = i};
  }
  return {.size = size};
}

}  // namespace anneal::datasets
