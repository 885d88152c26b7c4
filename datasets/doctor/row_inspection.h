#pragma once
// What a look at a single row shows, before any model is asked.

#include <string>
#include <string_view>
#include <vector>

#include "datasets/conversation.h"
#include "datasets/formats/finding.h"
#include "datasets/tokenizers/tokenizer.h"

namespace anneal::datasets {

// Empty answers and texts, two turns of one role in a row, think markup inside answers, pairs of the same answer, and
// conversations without an answer. Nothing here excludes a row.
std::vector<Finding> inspect_row(const Row& row);

// The texts of a tokenizer's control tokens, to be looked for in data: written there they stay ordinary text, which may
// not be what the person expects.
class ControlTexts {
 public:
  explicit ControlTexts(const Tokenizer& tokenizer);
  // The first one that the row's texts hold; an end token's text at the end of a completion or document does not count,
  // it becomes that token.
  std::vector<Finding> find_in(const Row& row) const;

 private:
  std::string_view first_in(std::string_view text) const;
  std::vector<std::string> texts_;
  std::string end_text_;
};

}  // namespace anneal::datasets
