#include "datasets/formats/finding.h"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/core/error.h"

namespace anneal::datasets {

std::string_view name_of(FindingKind kind) {
  static constexpr std::array<std::string_view, kFindingKinds> kNames = {
      "bad_line",     "bad_row",           "empty_answer",     "empty_text",     "no_target",
      "too_long",     "prompt_trimmed",    "answer_cut",       "end_text_taken", "control_text",
      "think_markup", "consecutive_turns", "template_refused", "identical_pair"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string spoken_name(FindingKind kind) {
  std::string name(name_of(kind));
  std::replace(name.begin(), name.end(), '_', ' ');
  return name;
}

std::string_view meaning_of(FindingKind kind) {
  static constexpr std::array<std::string_view, kFindingKinds> kMeanings = {
      "cannot be read; training stops there unless bad_rows=skip",
      "is no row of this form; training stops there unless bad_rows=skip",
      "an answer without text; it teaches to end at once unless empty_answers=skip",
      "a text, or a turn that is no answer, without text",
      "nothing in it to learn from; left out",
      "longer than max_sequence_length; left out",
      "longer than max_sequence_length; the beginning of the prompt is cut off",
      "longer than max_sequence_length; the end of the answer is cut off, and no end is taught",
      "ends in the end token's text, which is taken as that token",
      "holds a control token's text, which stays ordinary text",
      "an answer with think markup; move_think_markup=true moves it to the message's reasoning",
      "two turns of one speaker in a row; consecutive_turns=merge, skip or stop does something about it",
      "the chat template refuses it; left out",
      "chosen and rejected are the same; left out"};
  return kMeanings[static_cast<std::size_t>(kind)];
}

std::string describe(const Finding& finding) {
  const std::string place = fmt::format("{}:{}", printable(finding.source.file, 400), finding.source.line);
  if (finding.column > 0) return fmt::format("{}:{}: {}", place, finding.column, finding.message);
  return fmt::format("{}: {}", place, finding.message);
}

void Findings::add(Finding finding) {
  const auto kind = static_cast<std::size_t>(finding.kind);
  ++counts_[kind];
  if (kept_counts_[kind] == kept_per_kind_) return;
  ++kept_counts_[kind];
  kept_.push_back(std::move(finding));
}

void Findings::add(const Findings& others) {
  for (const Finding& finding : others.kept_) {
    const auto kind = static_cast<std::size_t>(finding.kind);
    if (kept_counts_[kind] == kept_per_kind_) continue;
    ++kept_counts_[kind];
    kept_.push_back(finding);
  }
  for (std::size_t kind = 0; kind < kFindingKinds; ++kind) counts_[kind] += others.counts_[kind];
}

void Findings::sort_by_row() {
  std::stable_sort(kept_.begin(), kept_.end(),
                   [](const Finding& a, const Finding& b) { return a.source.row < b.source.row; });
}

int64_t Findings::total() const {
  int64_t sum = 0;
  for (const int64_t count : counts_) sum += count;
  return sum;
}

}  // namespace anneal::datasets
