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

// The row as the model would read it, what is learned between « and »; empty where its template refuses it.
std::string written_out(const Row& row, const RowEncoder& encoder) {
  constexpr std::size_t kShownBytes = 600;
  try {
    const EncodedRow encoded = encoder.encode_whole(row);
    const std::unique_ptr<TextStream> stream =
        encoder.tokenizer().open_text({.skip_special_tokens = false, .clean_up = false});
    std::string text;
    bool is_learned = false;
    for (std::size_t j = 0; j < encoded.ids.size() && text.size() < kShownBytes; ++j) {
      const bool is_next_learned = encoded.labels[j] != kNoLabel;
      if (is_next_learned != is_learned) text += is_next_learned ? "«" : "»";
      is_learned = is_next_learned;
      text += stream->append(encoded.ids[j]);
    }
    return text + (is_learned ? "»" : "");
  } catch (const Error&) {
    return {};
  }
}

void refuse_without_target(const EncodingReport& report, const std::vector<std::string>& paths,
                           const std::optional<Row>& first_row, const RowEncoder& encoder) {
  const std::string first = report.findings.kept().empty()
                                ? std::string()
                                : fmt::format(" The first: {}.", describe(report.findings.kept().front()));
  const std::string text = first_row ? written_out(*first_row, encoder) : std::string();
  const std::string shown = text.empty() ? text : fmt::format(" The first row reads: {}.", printable(text, 800));
  throw input_error(
      "{}: none of {} rows has anything to learn from ({}).{}{} Look at a row with `anneal data preview`.",
      printable(paths.front(), 400), report.reading.rows, counts_of(report.findings), first, shown);
}

}  // namespace

EncodingReport encode_dataset(const std::vector<std::string>& paths, const ReadOptions& options,
                              const RowEncoder& encoder, int threads,
                              const std::function<void(EncodedRow&&, const Source&)>& on_row) {
  EncodingReport report;
  std::optional<Row> first_row;  // until one is used
  report.reading = for_each_row_in_parallel<EncodedRows>(
      paths, options, threads, [&](const Row& row) { return encoder.encode(row); },
      [&](const Row& row, EncodedRows&& encoded) {
        for (Finding& finding : encoded.findings) report.findings.add(std::move(finding));
        if (encoded.full_length > 0) report.tokens.lengths.add(encoded.full_length);
        if (!encoded.rows.empty()) ++report.rows_used;
        if (report.rows_used > 0) {
          first_row.reset();
        } else if (!first_row) {
          first_row = row;
        }
        for (EncodedRow& one : encoded.rows) {
          ++report.rows_made;
          report.tokens.total += one.size();
          report.tokens.label_tokens += one.label_count();
          on_row(std::move(one), row.source);
        }
      });
  if (report.rows_used == 0 && !options.may_be_empty) refuse_without_target(report, paths, first_row, encoder);
  return report;
}

}  // namespace anneal::datasets
