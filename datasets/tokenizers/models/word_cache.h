#pragma once
// Remembers how short words were cut, for one thread: most of a text is the same few thousand words. Bounded: a new
// word takes the place of another with the same slot.

#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "datasets/tokenizers/models/text_hash.h"
#include "datasets/tokenizers/tokenizer.h"

namespace anneal::datasets {

// A token in a piece of text, by bytes of the piece.
struct ModelToken {
  Token id;
  uint32_t begin;
  uint32_t end;
};

class WordCache {
 public:
  // `kind` tells apart ways of cutting that differ. True: the word's tokens were added to `tokens`.
  bool find(std::string_view word, uint8_t kind, std::vector<ModelToken>& tokens) const {
    if (slots_.empty() || word.size() > kLongestWord) return false;
    const Slot& slot = slots_[place_of(word)];
    if (slot.word_size != word.size() || slot.kind != kind ||
        std::memcmp(slot.word.data(), word.data(), word.size()) != 0) {
      return false;
    }
    uint32_t begin = 0;
    for (uint8_t i = 0; i < slot.token_count; ++i) {
      tokens.push_back({slot.ids[i], begin, slot.ends[i]});
      begin = slot.ends[i];
    }
    return true;
  }

  // The tokens from index `first` on are the word's.
  void store(std::string_view word, uint8_t kind, const std::vector<ModelToken>& tokens, std::size_t first) {
    const std::size_t count = tokens.size() - first;
    if (word.empty() || word.size() > kLongestWord || count > kMostTokensOfWord) return;
    uint32_t covered = 0;
    for (std::size_t i = first; i < tokens.size(); ++i) {
      if (tokens[i].begin != covered || tokens[i].end < covered) return;  // with gaps: not worth remembering
      covered = tokens[i].end;
    }
    if (slots_.empty()) slots_.resize(kSlots);
    Slot& slot = slots_[place_of(word)];
    slot.word_size = static_cast<uint8_t>(word.size());
    slot.kind = kind;
    slot.token_count = static_cast<uint8_t>(count);
    std::memcpy(slot.word.data(), word.data(), word.size());
    for (std::size_t i = 0; i < count; ++i) {
      slot.ids[i] = tokens[first + i].id;
      slot.ends[i] = static_cast<uint8_t>(tokens[first + i].end);
    }
  }

 private:
  static constexpr std::size_t kSlots = std::size_t{1} << 14;  // 1.2 MB
  static constexpr std::size_t kLongestWord = 29;
  static constexpr std::size_t kMostTokensOfWord = 8;

  struct Slot {
    uint8_t word_size = 0;  // 0: empty
    uint8_t kind = 0;
    uint8_t token_count = 0;
    std::array<char, kLongestWord> word;
    std::array<Token, kMostTokensOfWord> ids;
    std::array<uint8_t, kMostTokensOfWord> ends;
  };
  static std::size_t place_of(std::string_view word) { return (hash_text(word) >> 20) & (kSlots - 1); }

  std::vector<Slot> slots_;
};

}  // namespace anneal::datasets
