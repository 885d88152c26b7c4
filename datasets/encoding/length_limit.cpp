#include "datasets/encoding/length_limit.h"

#include <algorithm>

#include "kernels/core/error.h"

namespace anneal::datasets {
namespace {

using Offset = std::vector<Token>::difference_type;

bool is_label(Token label) { return label != kNoLabel; }

// Where the last unbroken run of labels begins; the row's size if there is none.
int64_t begin_of_last_answer(const std::vector<Token>& labels) {
  auto end = static_cast<int64_t>(labels.size());
  while (end > 0 && !is_label(labels[static_cast<std::size_t>(end - 1)])) --end;
  if (end == 0) return static_cast<int64_t>(labels.size());
  int64_t begin = end;
  while (begin > 0 && is_label(labels[static_cast<std::size_t>(begin - 1)])) --begin;
  return begin;
}

std::optional<EncodedRow> trim_beginning(EncodedRow row, int64_t limit, std::optional<Token> begin) {
  const int64_t kept_in_front = begin && row.ids.front() == *begin ? 1 : 0;
  const int64_t first_kept = row.size() - limit + kept_in_front;
  // The answer's first token needs one before it to be predicted from.
  if (first_kept + (1 - kept_in_front) > begin_of_last_answer(row.labels)) return std::nullopt;
  // What is left of an earlier answer has lost its own beginning and is context only.
  if (is_label(row.labels[static_cast<std::size_t>(first_kept - 1)])) {
    for (auto j = static_cast<std::size_t>(first_kept); is_label(row.labels[j]); ++j) row.labels[j] = kNoLabel;
  }
  const auto erase_front = [&](std::vector<Token>& list) {
    list.erase(list.begin() + static_cast<Offset>(kept_in_front), list.begin() + static_cast<Offset>(first_kept));
  };
  erase_front(row.ids);
  erase_front(row.labels);
  row.labels.front() = kNoLabel;
  row.cut = Cut::kPromptTrimmed;
  return row;
}

std::optional<EncodedRow> cut_end(EncodedRow row, int64_t limit) {
  const int64_t labels = row.label_count();
  row.ids.resize(static_cast<std::size_t>(limit));
  row.labels.resize(static_cast<std::size_t>(limit));
  const int64_t kept = row.label_count();
  if (kept == 0) return std::nullopt;
  if (kept < labels) row.cut = Cut::kAnswerCut;
  return row;
}

}  // namespace

std::string_view name_of(Cut cut) {
  switch (cut) {
    case Cut::kNone:
      return "none";
    case Cut::kPromptTrimmed:
      return "prompt_trimmed";
    case Cut::kAnswerCut:
      return "answer_cut";
    case Cut::kSplit:
      return "split";
  }
  return "none";
}

int64_t EncodedRow::label_count() const { return std::count_if(labels.begin(), labels.end(), is_label); }

std::optional<EncodedRow> fit_into(EncodedRow row, int64_t limit, TooLong too_long, std::optional<Token> begin) {
  ensure(limit >= 1, "a length limit below one token");
  if (row.size() <= limit) return row;
  switch (too_long) {
    case TooLong::kSkip:
      return std::nullopt;
    case TooLong::kTrimPrompt:
      return trim_beginning(std::move(row), limit, begin);
    case TooLong::kCut:
      return cut_end(std::move(row), limit);
  }
  return std::nullopt;
}

std::vector<EncodedRow> split_into(EncodedRow row, int64_t limit) {
  ensure(limit >= 1, "a length limit below one token");
  std::vector<EncodedRow> pieces;
  if (row.size() <= limit) {
    pieces.push_back(std::move(row));
    return pieces;
  }
  for (int64_t first = 0; first < row.size();) {
    int64_t size = std::min(limit, row.size() - first);
    // A last piece of one token would have nothing to learn, so it gets one more.
    if (row.size() - first == limit + 1 && limit > 2) --size;
    const auto begin = static_cast<Offset>(first);
    const auto end = static_cast<Offset>(first + size);
    first += size;
    EncodedRow piece;
    piece.ids.assign(row.ids.begin() + begin, row.ids.begin() + end);
    piece.labels.assign(row.labels.begin() + begin, row.labels.begin() + end);
    piece.labels.front() = kNoLabel;
    piece.cut = Cut::kSplit;
    pieces.push_back(std::move(piece));
  }
  return pieces;
}

}  // namespace anneal::datasets
