#pragma once
// The texts of a model's tokens with their ids, both ways. Ids may have holes.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/tokenizers/tokenizer.h"
#include "kernels/core/json.h"

namespace anneal::datasets {

// More than any model has; an id beyond it is a damaged file.
inline constexpr int64_t kMostTokens = int64_t{1} << 22;

class Vocabulary {
 public:
  // {"text": id, …}. Throws Error(kInput) for an id that stands twice, is no whole number or out of range.
  static Vocabulary read(const Json& description, const std::string& where);
  // The ids are the places in the list. A text that stands twice is found at its last place.
  static Vocabulary of_list(const std::vector<std::string>& texts);

  std::optional<Token> find(std::string_view text) const;
  std::optional<std::string_view> text(Token id) const;
  int64_t end() const { return static_cast<int64_t>(slots_.size()); }  // one more than the largest id
  int64_t count() const { return count_; }

 private:
  struct Slot {
    uint32_t begin = 0;
    uint32_t size = kHole;
  };
  static constexpr uint32_t kHole = UINT32_MAX;

  void put(Token id, std::string_view text);
  void index();
  std::string_view text_of(const Slot& slot) const { return std::string_view(texts_).substr(slot.begin, slot.size); }

  std::string texts_;         // one behind the other
  std::vector<Slot> slots_;   // by id
  std::vector<Token> table_;  // by hash, open addressing
  int64_t count_ = 0;         // different texts
};

}  // namespace anneal::datasets
