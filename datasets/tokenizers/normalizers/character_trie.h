#pragma once
// The character map of SentencePiece: a double-array trie over UTF-8 bytes whose values are places in a block of
// replacement texts, each ended by a NUL. Layout: trie size in bytes (u32), trie (u32 units), texts.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace anneal::datasets {

class CharacterTrie {
 public:
  // Nothing if the sizes do not fit or the texts are no UTF-8.
  static std::optional<CharacterTrie> read(std::string_view map);

  // The replacement of the shortest beginning of `key` that the map knows. Safe for a trie that is not sound.
  std::optional<std::string_view> find(std::string_view key) const;

  // Every path stays inside the trie and every value is a place in the texts, which readers without checks rely on.
  bool is_sound() const;

 private:
  static uint32_t label_of(uint32_t unit) { return unit & ((1U << 31) | 0xFF); }
  static bool has_value(uint32_t unit) { return ((unit >> 8) & 1) == 1; }
  static uint32_t value_of(uint32_t unit) { return unit & ((1U << 31) - 1); }
  static std::size_t offset_of(uint32_t unit) {
    return static_cast<std::size_t>(unit >> 10) << ((unit & (1U << 9)) >> 6);
  }
  std::optional<std::string_view> text_at(std::size_t begin) const;

  std::vector<uint32_t> units_;
  std::string texts_;
};

}  // namespace anneal::datasets
