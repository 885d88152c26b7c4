#include "datasets/formats/utf8.h"

#include <cstdint>
#include <cstring>

namespace anneal::datasets {
namespace {

struct Sequence {
  std::size_t size;      // 0: no character begins with this byte
  unsigned char lowest;  // of the second byte
  unsigned char highest;
};

Sequence sequence_of(unsigned char lead) {
  if (lead < 0x80) return {1, 0, 0};
  if (lead < 0xC2) return {0, 0, 0};
  if (lead < 0xE0) return {2, 0x80, 0xBF};
  if (lead == 0xE0) return {3, 0xA0, 0xBF};
  if (lead == 0xED) return {3, 0x80, 0x9F};
  if (lead < 0xF0) return {3, 0x80, 0xBF};
  if (lead == 0xF0) return {4, 0x90, 0xBF};
  if (lead < 0xF4) return {4, 0x80, 0xBF};
  if (lead == 0xF4) return {4, 0x80, 0x8F};
  return {0, 0, 0};
}

}  // namespace

std::size_t first_invalid_utf8(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    // Eight ASCII bytes at once, which is what most text is made of.
    uint64_t eight = 0;
    if (at + sizeof eight <= text.size()) {
      std::memcpy(&eight, text.data() + at, sizeof eight);
      if ((eight & 0x8080808080808080u) == 0) {
        at += sizeof eight;
        continue;
      }
    }
    const auto byte = [&](std::size_t offset) { return static_cast<unsigned char>(text[at + offset]); };
    const Sequence sequence = sequence_of(byte(0));
    if (sequence.size == 0 || at + sequence.size > text.size()) return at;
    if (sequence.size > 1 && (byte(1) < sequence.lowest || byte(1) > sequence.highest)) return at;
    for (std::size_t i = 2; i < sequence.size; ++i) {
      if ((byte(i) & 0xC0) != 0x80) return at;
    }
    at += sequence.size;
  }
  return std::string_view::npos;
}

}  // namespace anneal::datasets
