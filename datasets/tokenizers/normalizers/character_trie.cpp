#include "datasets/tokenizers/normalizers/character_trie.h"

#include <algorithm>
#include <cstring>

#include "datasets/tokenizers/unicode/utf8.h"

namespace anneal::datasets {

std::optional<CharacterTrie> CharacterTrie::read(std::string_view map) {
  uint32_t trie_bytes = 0;
  if (map.size() < sizeof trie_bytes) return {};
  std::memcpy(&trie_bytes, map.data(), sizeof trie_bytes);
  map.remove_prefix(sizeof trie_bytes);
  if (trie_bytes < sizeof(uint32_t) || trie_bytes % sizeof(uint32_t) != 0 || trie_bytes > map.size()) return {};
  CharacterTrie trie;
  trie.units_.resize(trie_bytes / sizeof(uint32_t));
  std::memcpy(trie.units_.data(), map.data(), trie_bytes);
  trie.texts_ = map.substr(trie_bytes);
  if (!is_valid_utf8(trie.texts_)) return {};
  return trie;
}

std::optional<std::string_view> CharacterTrie::find(std::string_view key) const {
  std::size_t at = offset_of(units_[0]);
  for (const char byte : key) {
    const auto label = static_cast<unsigned char>(byte);
    at ^= label;
    if (label == 0 || at >= units_.size() || label_of(units_[at]) != label) return {};
    const uint32_t unit = units_[at];
    at ^= offset_of(unit);
    if (has_value(unit)) return at < units_.size() ? text_at(value_of(units_[at])) : std::nullopt;
  }
  return {};
}

std::optional<std::string_view> CharacterTrie::text_at(std::size_t begin) const {
  if (begin >= texts_.size() || is_continuation(texts_[begin])) return {};
  const std::size_t end = std::min(texts_.find('\0', begin), texts_.size());
  return std::string_view(texts_).substr(begin, end - begin);
}

bool CharacterTrie::is_sound() const {
  if (texts_.empty() || texts_.back() != '\0') return false;
  std::vector<bool> seen(units_.size());
  std::vector<std::size_t> open{offset_of(units_[0])};
  while (!open.empty()) {
    const std::size_t at = open.back();
    open.pop_back();
    if ((at | 0xFF) >= units_.size()) return false;  // a reader looks at any of these 256
    for (std::size_t label = 1; label < 256; ++label) {
      const std::size_t child = at ^ label;
      const uint32_t unit = units_[child];
      if (label_of(unit) != label || seen[child]) continue;
      seen[child] = true;
      const std::size_t behind = child ^ offset_of(unit);
      if (has_value(unit) && (behind >= units_.size() || value_of(units_[behind]) >= texts_.size())) return false;
      open.push_back(behind);
    }
  }
  return true;
}

}  // namespace anneal::datasets
