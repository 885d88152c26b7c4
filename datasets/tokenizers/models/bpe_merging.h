#pragma once
// The merging of one word: the pair of lowest rank first, of equals the leftmost, until no pair can be merged.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "datasets/tokenizers/models/merge_table.h"

namespace anneal::datasets {

struct Symbol {
  Token id;
  uint32_t begin;  // bytes of the word
  uint32_t end;
};

// Leaves the merged symbols in `symbols`. find(left, right) gives the merge of a pair. Takes n log n steps for n
// symbols.
template <class Find>
void merge_symbols(std::vector<Symbol>& symbols, Find find);

namespace bpe_detail {

// Up to here, looking through all pairs each time is faster than keeping them in order.
inline constexpr std::size_t kShortWord = 32;

template <class Find>
void merge_short(std::vector<Symbol>& symbols, Find find) {
  Merge merges[kShortWord];  // of symbol i with the next
  std::size_t count = symbols.size();
  for (std::size_t i = 0; i + 1 < count; ++i) merges[i] = find(symbols[i].id, symbols[i + 1].id);
  while (count > 1) {
    std::size_t best = 0;
    for (std::size_t i = 1; i + 1 < count; ++i) {
      if (merges[i].rank < merges[best].rank) best = i;
    }
    if (merges[best].rank == kNoMerge) break;
    symbols[best].id = merges[best].result;
    symbols[best].end = symbols[best + 1].end;
    for (std::size_t i = best + 1; i + 1 < count; ++i) {
      symbols[i] = symbols[i + 1];
      merges[i - 1] = merges[i];
    }
    --count;
    if (best > 0) merges[best - 1] = find(symbols[best - 1].id, symbols[best].id);
    if (best + 1 < count) merges[best] = find(symbols[best].id, symbols[best + 1].id);
  }
  symbols.resize(count);
}

// A heap of candidate merges over a linked list; candidates whose pair is gone are passed over.
template <class Find>
class LongWord {
 public:
  LongWord(std::vector<Symbol>& symbols, Find find)
      : symbols_(symbols), find_(find), previous_(symbols.size()), next_(symbols.size()) {
    const auto count = static_cast<uint32_t>(symbols.size());
    for (uint32_t i = 0; i < count; ++i) {
      previous_[i] = i == 0 ? kNone : i - 1;
      next_[i] = i + 1 == count ? kNone : i + 1;
    }
    for (uint32_t i = 0; i + 1 < count; ++i) {
      const Merge merge = find_(symbols[i].id, symbols[i + 1].id);
      if (merge.rank != kNoMerge) heap_.push_back(candidate(merge.rank, i));
    }
    std::make_heap(heap_.begin(), heap_.end(), std::greater<>());
  }

  void run() {
    while (!heap_.empty()) {
      std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
      const uint64_t top = heap_.back();
      heap_.pop_back();
      merge(static_cast<uint32_t>(top >> 32), static_cast<uint32_t>(top));
    }
    std::size_t kept = 0;
    for (uint32_t at = 0; at != kNone; at = next_[at]) symbols_[kept++] = symbols_[at];
    symbols_.resize(kept);
  }

 private:
  static constexpr uint32_t kNone = UINT32_MAX;
  static uint64_t candidate(uint32_t rank, uint32_t at) { return (static_cast<uint64_t>(rank) << 32) | at; }

  void merge(uint32_t rank, uint32_t at) {
    const uint32_t right = next_[at];
    if (symbols_[at].id < 0 || right == kNone) return;
    const Merge merge = find_(symbols_[at].id, symbols_[right].id);
    if (merge.rank != rank) return;
    symbols_[at].id = merge.result;
    symbols_[at].end = symbols_[right].end;
    symbols_[right].id = -1;
    next_[at] = next_[right];
    if (next_[at] != kNone) previous_[next_[at]] = at;
    if (previous_[at] != kNone) consider(previous_[at]);
    consider(at);
  }
  void consider(uint32_t at) {
    if (next_[at] == kNone) return;
    const Merge merge = find_(symbols_[at].id, symbols_[next_[at]].id);
    if (merge.rank == kNoMerge) return;
    heap_.push_back(candidate(merge.rank, at));
    std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
  }

  std::vector<Symbol>& symbols_;
  Find find_;
  std::vector<uint32_t> previous_;
  std::vector<uint32_t> next_;
  std::vector<uint64_t> heap_;
};

}  // namespace bpe_detail

template <class Find>
void merge_symbols(std::vector<Symbol>& symbols, Find find) {
  if (symbols.size() < 2) return;
  if (symbols.size() <= bpe_detail::kShortWord) return bpe_detail::merge_short(symbols, find);
  bpe_detail::LongWord<Find>(symbols, find).run();
}

}  // namespace anneal::datasets
