#include "datasets/encoding/dataset_encoding.h"

#include "datasets/encoding/parallel_rows.h"
#include "kernels/core/error.h"

namespace anneal::datasets {
namespace {

// "12 too_long, 3 no_target"
std::string counts_of(const Findings& findings) {
  std::string text;
  for (std::size_t kind = 0; kind < kFindingKinds; ++kind) {
    const int64_t count = findings.count(static_cast<FindingKind>(kind));
    if (count == 0) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, name_of(static_cast<FindingKind>(kind)));
  }
  return text;
}

void refuse_without_target(const EncodingReport& report, const std::vector<std::string>& paths) {
  const std::string first = report.findings.kept().empty()
                                ? std::string()
                                : fmt::format(" The first: {}.", describe(report.findings.kept().front()));
  throw input_error("{}: none of {} rows has anything to learn from ({}).{} Look at a row with `anneal data preview`.",
                    printable(paths.front(), 400), report.reading.rows, counts_of(report.findings), first);
}

}  // namespace

EncodingReport encode_dataset(const std::vector<std::string>& paths, const ReadOptions& options,
                              const RowEncoder& encoder, int threads,
                              const std::function<void(EncodedRow&&, const Source&)>& on_row) {
  EncodingReport report;
  report.reading = for_each_row_in_parallel<EncodedRows>(
      paths, options, threads, [&](const Row& row) { return encoder.encode(row); },
      [&](const Row& row, EncodedRows&& encoded) {
        for (Finding& finding : encoded.findings) report.findings.add(std::move(finding));
        if (encoded.full_length > 0) report.tokens.lengths.add(encoded.full_length);
        if (!encoded.rows.empty()) ++report.rows_used;
        for (EncodedRow& one : encoded.rows) {
          ++report.rows_made;
          report.tokens.total += one.size();
          report.tokens.label_tokens += one.label_count();
          on_row(std::move(one), row.source);
        }
      });
  if (report.rows_used == 0 && !options.may_be_empty) refuse_without_target(report, paths);
  return report;
}

}  // namespace anneal::datasets
