#pragma once
// Which two neighbouring tokens of a BPE model become one, and how early.

#include <bit>
#include <cstdint>
#include <vector>

#include "datasets/tokenizers/tokenizer.h"

namespace anneal::datasets {

inline constexpr uint32_t kNoMerge = UINT32_MAX;

struct Merge {
  uint32_t rank = kNoMerge;  // the lowest is done first
  Token result = -1;
};

class MergeTable {
 public:
  explicit MergeTable(std::size_t count = 0) : slots_(std::bit_ceil(count * 2 + 2)), mask_(slots_.size() - 1) {}

  // A pair that was there before gets the new merge. At most the constructor's count may be put.
  void put(Token left, Token right, Merge merge) {
    const uint64_t key = key_of(left, right);
    std::size_t at = place_of(key);
    while (slots_[at].key != kEmpty && slots_[at].key != key) at = (at + 1) & mask_;
    slots_[at] = {key, merge};
  }

  Merge find(Token left, Token right) const {
    const uint64_t key = key_of(left, right);
    for (std::size_t at = place_of(key); slots_[at].key != kEmpty; at = (at + 1) & mask_) {
      if (slots_[at].key == key) return slots_[at].merge;
    }
    return {};
  }

 private:
  static constexpr uint64_t kEmpty = UINT64_MAX;
  struct Slot {
    uint64_t key = kEmpty;
    Merge merge;
  };
  static uint64_t key_of(Token left, Token right) {
    return (static_cast<uint64_t>(static_cast<uint32_t>(left)) << 32) | static_cast<uint32_t>(right);
  }
  std::size_t place_of(uint64_t key) const { return ((key * 0x9E3779B97F4A7C15U) >> 20) & mask_; }

  std::vector<Slot> slots_;
  std::size_t mask_;
};

}  // namespace anneal::datasets
