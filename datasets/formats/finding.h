#pragma once
// What was noticed about single rows, on the way from file to tokens. A finding never stops anything by itself.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/conversation.h"

namespace anneal::datasets {

enum class FindingKind : uint8_t {
  kBadLine,           // not readable in the file's container: broken JSON, an open quote, a line over the limit
  kBadRow,            // readable, but not a row of the file's format
  kEmptyAnswer,       // an answer without text; it teaches to end at once
  kEmptyText,         // a document, or a turn that is no answer, without text
  kNoTarget,          // nothing in it to learn from; left out
  kTooLong,           // over the length limit; left out
  kPromptTrimmed,     // over the length limit; its prompt lost its beginning
  kAnswerCut,         // over the length limit; its answer lost its end, and no end token was put there
  kEndTextTaken,      // the completion ended in the end token's text, which was taken as that token
  kControlText,       // holds a control token's text, which stays ordinary text
  kThinkMarkup,       // an answer holds think markup that belongs into the message's reasoning
  kConsecutiveTurns,  // two turns of one role in a row
  kTemplateRefused,   // the chat template refused it; left out
  kIdenticalPair,     // chosen and rejected are the same
};
inline constexpr std::size_t kFindingKinds = 14;

// "bad_line", "bad_row", "empty_answer", …: as `anneal data check` prints them.
std::string_view name_of(FindingKind kind);
std::string spoken_name(FindingKind kind);  // "too long"
// What it is and what becomes of the row, for a person: "an answer without text; it teaches to end at once".
std::string_view meaning_of(FindingKind kind);

struct Finding {
  Source source;
  FindingKind kind = FindingKind::kBadLine;
  std::string message;  // without the place; ends without a full stop
  int64_t column = 0;   // from 1, in bytes; 0: the whole row
  friend bool operator==(const Finding&, const Finding&) = default;
};

// "data.jsonl:3:17: key "a" stands twice"
std::string describe(const Finding& finding);

// Counts every finding and keeps the first ones of each kind, so that a file with a million bad lines costs no more
// memory than one with a thousand.
class Findings {
 public:
  explicit Findings(std::size_t kept_per_kind = 1000) : kept_per_kind_(kept_per_kind) {}

  void add(Finding finding);
  void add(const Findings& others);
  int64_t count(FindingKind kind) const { return counts_[static_cast<std::size_t>(kind)]; }
  int64_t total() const;
  void sort_by_row();                                         // those of one row stay as they are
  const std::vector<Finding>& kept() const { return kept_; }  // in the order in which they were added

 private:
  std::size_t kept_per_kind_;
  std::array<int64_t, kFindingKinds> counts_{};
  std::array<std::size_t, kFindingKinds> kept_counts_{};
  std::vector<Finding> kept_;
};

}  // namespace anneal::datasets
