#pragma once
// A row as tokens with what is learned of it.

#include <cstdint>
#include <string_view>
#include <vector>

#include "datasets/conversation.h"
#include "datasets/tokenizers/tokenizer.h"

namespace anneal::datasets {

// What the length limit did to a row.
enum class Cut : uint8_t {
  kNone,
  kPromptTrimmed,  // the beginning is missing
  kAnswerCut,      // the end is missing, with the end token
  kSplit,          // one of several rows of one document
};
std::string_view name_of(Cut cut);  // "none", "prompt_trimmed", "answer_cut", "split"

struct EncodedRow {
  std::vector<Token> ids;
  // As many as ids: labels[j] is the id to be predicted at place j from the places before it, or kNoLabel. The first
  // place has nothing before it, so it never has a label.
  std::vector<Token> labels;
  Cut cut = Cut::kNone;

  int64_t size() const { return static_cast<int64_t>(ids.size()); }
  int64_t label_count() const;
  friend bool operator==(const EncodedRow&, const EncodedRow&) = default;
};

}  // namespace anneal::datasets
