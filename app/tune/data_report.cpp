#include "app/tune/data_report.h"

#include <algorithm>
#include <map>

#include "app/tune/output.h"
#include "kernels/core/error.h"

namespace anneal::tune {
namespace {

constexpr std::size_t kWholeText = std::size_t{1} << 30;

// Line ends stay; other control characters are shown.
std::string readable(const std::string& text) {
  std::string made;
  std::size_t begin = 0;
  for (std::size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', begin)) {
    made += printable(text.substr(begin, end - begin), kWholeText) + "\n";
    begin = end + 1;
  }
  return made + printable(text.substr(begin), kWholeText);
}

// Rows by length: each line holds twice the lengths of the one before.
void show_lengths(const datasets::LengthHistogram& lengths, int64_t limit) {
  constexpr int64_t kBar = 40;
  constexpr int64_t kFirst = 16;
  std::map<int64_t, int64_t> rows_up_to;
  for (const auto& [length, rows] : lengths.counts()) {
    int64_t end = kFirst;
    while (end < length) end *= 2;
    rows_up_to[end] += rows;
  }
  if (rows_up_to.empty()) return;
  int64_t most = 0;
  for (const auto& [end, rows] : rows_up_to) most = std::max(most, rows);
  print_line("Rows by length in tokens:");
  for (int64_t end = rows_up_to.begin()->first; end <= rows_up_to.rbegin()->first; end *= 2) {
    const int64_t rows = rows_up_to[end];
    const std::string bar(static_cast<std::size_t>((rows * kBar + most - 1) / most), '#');
    print_line(fmt::format("  {:>7} to {:<7} {:>8}  {}", end == kFirst ? 1 : end / 2 + 1, end, rows, bar));
  }
  const int64_t longer = lengths.rows_longer_than(limit);
  if (longer > 0) print_line(fmt::format("  longer than max_sequence_length {}: {}", limit, longer));
}

void show_findings(const datasets::Findings& findings) {
  constexpr int64_t kShown = 5;
  for (std::size_t i = 0; i < datasets::kFindingKinds; ++i) {
    const auto kind = static_cast<datasets::FindingKind>(i);
    const int64_t count = findings.count(kind);
    if (count == 0) continue;
    print_line(fmt::format("{} × {}: {}.", count, datasets::spoken_name(kind), datasets::meaning_of(kind)));
    int64_t shown = 0;
    for (const datasets::Finding& finding : findings.kept()) {
      if (finding.kind != kind || shown == kShown) continue;
      ++shown;
      print_line("    " + datasets::describe(finding));
    }
    if (count > shown) print_line(fmt::format("    … and {} more; --json lists them.", count - shown));
  }
}

void show_part(const datasets::RowPreview& part) {
  const bool is_coloured = is_terminal();
  const std::string begin = is_coloured ? "\x1b[32m«" : "«";
  const std::string end = is_coloured ? "»\x1b[0m" : "»";
  std::string text, stretch;
  bool learning = false;
  int64_t learned = 0;
  const auto finish = [&] {
    const std::string shown = readable(stretch);
    text += learning ? begin + shown + end : shown;
    stretch.clear();
  };
  for (const datasets::PreviewToken& token : part.tokens) {
    if (token.learn != learning) finish();
    learning = token.learn;
    learned += token.learn ? 1 : 0;
    stretch += token.text;
  }
  finish();
  if (!part.name.empty()) print_line(part.name + ":");
  print_line(text);
  print_line(fmt::format("({} tokens, {} of them learned: those between « and »{})", part.tokens.size(), learned,
                         part.cut == "none" ? "" : "; " + part.cut));
}

}  // namespace

void show_summary(const datasets::DatasetSummary& summary, const engine::RowEncoding* encoding) {
  for (const auto& file : summary.files) print_line(file.reason);
  for (const auto& notice : summary.notices) print_line(notice);
  if (encoding != nullptr) {
    for (const auto& fact : encoding->facts) print_line(fact);
  }
  const std::string form = summary.format.empty() ? "" : fmt::format(" ({})", summary.format);
  print_line(
      fmt::format("{} row{}{}, {} of them usable.", summary.rows, summary.rows == 1 ? "" : "s", form, summary.usable));
  if (summary.tokens) {
    const auto& tokens = *summary.tokens;
    print_line(fmt::format(
        "Tokens: {} in all, {} of them learned; a row has {} to {}, half of them at most {}, 99 % at most {}.",
        tokens.total, tokens.label_tokens, tokens.lengths.shortest(), tokens.lengths.longest(), tokens.lengths.median(),
        tokens.lengths.percentile(99)));
    show_lengths(tokens.lengths, encoding->max_sequence_length);
  } else if (summary.rows > 0) {
    print_line(
        "With --model the tokens are counted, and rows that its template refuses or that are too long are found.");
  }
  show_findings(summary.findings);
}

void show_row(const datasets::Row& row, const datasets::RowPreviews& previews) {
  print_line(datasets::describe(row.source) + ":");
  for (const datasets::RowPreview& part : previews.parts) show_part(part);
  for (const datasets::Finding& finding : previews.findings) {
    print_line(finding.message + ".");
  }
}

std::string nothing_usable(const datasets::DatasetSummary& summary, const std::string& data) {
  if (summary.usable > 0) return {};
  const std::string where = printable(data, 400);
  if (summary.rows == 0 && summary.findings.total() == 0) {
    // A file that cannot be read has a sentence of its own.
    return summary.problems.empty() ? fmt::format("{}: holds no rows. Give a file with at least one.", where) : "";
  }
  const std::string first = summary.findings.kept().empty()
                                ? ""
                                : fmt::format(" The first: {}.", datasets::describe(summary.findings.kept().front()));
  return fmt::format(
      "{}: no row has anything to learn from.{} Correct the data, or say with --columns what its columns are.", where,
      first);
}

}  // namespace anneal::tune
