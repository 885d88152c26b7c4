#include "datasets/tokenizers/normalizers/base64.h"

#include <cstdint>

namespace anneal::datasets {
namespace {

int value_of(char digit) {
  if (digit >= 'A' && digit <= 'Z') return digit - 'A';
  if (digit >= 'a' && digit <= 'z') return digit - 'a' + 26;
  if (digit >= '0' && digit <= '9') return digit - '0' + 52;
  if (digit == '+') return 62;
  if (digit == '/') return 63;
  return -1;
}

}  // namespace

std::optional<std::string> decode_base64(std::string_view text) {
  if (text.size() % 4 != 0) return {};
  std::size_t padding = 0;
  while (padding < 2 && padding < text.size() && text[text.size() - 1 - padding] == '=') ++padding;
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  for (std::size_t at = 0; at < text.size(); at += 4) {
    uint32_t group = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      const bool is_padding = at + i >= text.size() - padding;
      const int value = is_padding ? 0 : value_of(text[at + i]);
      if (value < 0) return {};
      group = (group << 6) | static_cast<uint32_t>(value);
    }
    bytes += {static_cast<char>(group >> 16), static_cast<char>(group >> 8), static_cast<char>(group)};
  }
  bytes.resize(bytes.size() - padding);
  return bytes;
}

}  // namespace anneal::datasets
