#include "datasets/doctor/dataset_summary.h"

#include <algorithm>

#include "datasets/doctor/row_inspection.h"
#include "datasets/encoding/parallel_rows.h"
#include "kernels/core/error.h"

namespace anneal::datasets {
namespace {

struct RowResult {
  std::vector<Finding> findings;
  std::vector<int64_t> lengths;  // whole
  int64_t tokens = 0;            // kept
  int64_t label_tokens = 0;
  bool is_usable = false;
};

void count_kept(const EncodedRow& row, RowResult& result) {
  result.is_usable = true;
  result.tokens += row.size();
  result.label_tokens += row.label_count();
}

void measure_pair(const Row& row, const Preference& pair, const RowEncoder& encoder, RowResult& result) {
  try {
    for (const TextOrMessages* answer : {&pair.chosen, &pair.rejected}) {
      result.lengths.push_back(encoder.encode_answer(pair.prompt, *answer, pair.tools).size());
    }
  } catch (const Error&) {
    result.lengths.clear();  // encode_pair() says why
  }
  if (const std::optional<EncodedPair> encoded = encoder.encode_pair(row, result.findings)) {
    count_kept(encoded->chosen, result);
    count_kept(encoded->rejected, result);
  }
}

void measure_judged(const Row& row, const Kto& judged, const RowEncoder& encoder, RowResult& result) {
  try {
    const EncodedRow encoded = encoder.encode_answer(judged.prompt, judged.completion, judged.tools);
    result.lengths.push_back(encoded.size());
    count_kept(encoded, result);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kInput) throw;
    std::string message = error.what();
    if (message.ends_with('.')) message.pop_back();
    result.findings.push_back(Finding{row.source, FindingKind::kTemplateRefused, std::move(message)});
  }
}

void measure(const Row& row, const RowEncoder& encoder, RowResult& result) {
  if (const auto* pair = std::get_if<Preference>(&row.content)) return measure_pair(row, *pair, encoder, result);
  if (const auto* judged = std::get_if<Kto>(&row.content)) return measure_judged(row, *judged, encoder, result);
  EncodedRows encoded = encoder.encode(row);
  if (encoded.full_length > 0) result.lengths.push_back(encoded.full_length);
  for (const EncodedRow& one : encoded.rows) count_kept(one, result);
  for (Finding& finding : encoded.findings) result.findings.push_back(std::move(finding));
}

// The look at the row and the encoder may say the same; once is enough.
void drop_repeats(std::vector<Finding>& findings) {
  const auto is_single = [](FindingKind kind) {
    return kind == FindingKind::kNoTarget || kind == FindingKind::kIdenticalPair;
  };
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (!is_single(findings[i].kind)) continue;
    const auto first = findings.begin() + static_cast<std::ptrdiff_t>(i + 1);
    findings.erase(std::remove_if(first, findings.end(),
                                  [&, kind = findings[i].kind](const Finding& other) { return other.kind == kind; }),
                   findings.end());
  }
}

// Bad rows come from the reader and the rest from the look at rows; a person reads them in the file's order.
Findings in_order(const Findings& bad, const Findings& seen) {
  Findings all;
  all.add(bad);
  all.add(seen);
  all.sort_by_row();
  return all;
}

}  // namespace

DatasetSummary summarise_dataset(const std::vector<std::string>& paths, const ReadOptions& options,
                                 const RowEncoder* encoder, int threads, const std::function<void()>& on_row) {
  ReadOptions reading = options;
  reading.bad_rows = BadRows::kSkip;
  reading.may_be_empty = true;
  reading.lists_bad_files = true;
  std::optional<ControlTexts> control_texts;
  if (encoder != nullptr) control_texts.emplace(encoder->tokenizer());
  DatasetSummary summary;
  if (encoder != nullptr) summary.tokens.emplace();
  Findings seen;

  const auto look = [&](const Row& row) {
    RowResult result;
    result.findings = inspect_row(row);
    if (encoder == nullptr) {
      result.is_usable = std::none_of(result.findings.begin(), result.findings.end(),
                                      [](const Finding& finding) { return finding.kind == FindingKind::kNoTarget; });
      return result;
    }
    for (Finding& finding : control_texts->find_in(row)) result.findings.push_back(std::move(finding));
    measure(row, *encoder, result);
    drop_repeats(result.findings);
    return result;
  };
  const auto collect = [&](const Row&, RowResult&& result) {
    for (Finding& finding : result.findings) seen.add(std::move(finding));
    summary.usable += result.is_usable ? 1 : 0;
    if (on_row) on_row();
    if (!summary.tokens) return;
    for (const int64_t length : result.lengths) summary.tokens->lengths.add(length);
    summary.tokens->total += result.tokens;
    summary.tokens->label_tokens += result.label_tokens;
  };
  ReadReport report = for_each_row_in_parallel<RowResult>(paths, reading, threads, look, collect);
  summary.format = report.format();
  summary.files = std::move(report.files);
  summary.notices = std::move(report.notices);
  summary.problems = std::move(report.problems);
  summary.rows = report.rows;
  summary.findings = in_order(report.findings, seen);
  return summary;
}

}  // namespace anneal::datasets
