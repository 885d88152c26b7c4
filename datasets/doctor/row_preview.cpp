#include "datasets/doctor/row_preview.h"

#include <algorithm>

#include "datasets/doctor/row_inspection.h"
#include "kernels/core/error.h"

namespace anneal::datasets {
namespace {

RowPreview preview(const EncodedRow& row, const Tokenizer& tokenizer, std::string name, std::string_view cut) {
  RowPreview shown{std::move(name), {}, {}, std::string(cut)};
  shown.tokens.reserve(row.ids.size());
  const std::unique_ptr<TextStream> stream = tokenizer.open_text({.skip_special_tokens = false, .clean_up = false});
  for (std::size_t j = 0; j < row.ids.size(); ++j) {
    shown.tokens.push_back({row.ids[j], stream->append(row.ids[j]), row.labels[j] != kNoLabel});
  }
  if (!shown.tokens.empty()) shown.tokens.back().text += stream->flush();
  for (const PreviewToken& token : shown.tokens) shown.text += token.text;
  return shown;
}

void preview_answers(const Row& row, const RowEncoder& encoder, RowPreviews& previews) {
  if (const auto* judged = std::get_if<Kto>(&row.content)) {
    const EncodedRow encoded = encoder.encode_answer(judged->prompt, judged->completion, judged->tools);
    previews.parts.push_back(
        preview(encoded, encoder.tokenizer(), judged->is_desirable ? "wanted" : "unwanted", "none"));
    return;
  }
  const auto& pair = std::get<Preference>(row.content);
  if (const std::optional<EncodedPair> kept = encoder.encode_pair(row, previews.findings)) {
    previews.parts.push_back(preview(kept->chosen, encoder.tokenizer(), "chosen", name_of(kept->chosen.cut)));
    previews.parts.push_back(preview(kept->rejected, encoder.tokenizer(), "rejected", name_of(kept->rejected.cut)));
    return;
  }
  const EncodedRow chosen = encoder.encode_answer(pair.prompt, pair.chosen, pair.tools);
  const EncodedRow rejected = encoder.encode_answer(pair.prompt, pair.rejected, pair.tools);
  previews.parts.push_back(preview(chosen, encoder.tokenizer(), "chosen", "left_out"));
  previews.parts.push_back(preview(rejected, encoder.tokenizer(), "rejected", "left_out"));
}

void preview_whole(const Row& row, const RowEncoder& encoder, RowPreviews& previews) {
  EncodedRows encoded = encoder.encode(row);
  for (Finding& finding : encoded.findings) {
    // The look at the row may have said the same.
    if (std::find(previews.findings.begin(), previews.findings.end(), finding) == previews.findings.end()) {
      previews.findings.push_back(std::move(finding));
    }
  }
  for (std::size_t i = 0; i < encoded.rows.size(); ++i) {
    const EncodedRow& one = encoded.rows[i];
    const bool is_split = one.cut == Cut::kSplit;
    previews.parts.push_back(preview(one, encoder.tokenizer(),
                                     is_split ? fmt::format("{} of {}", i + 1, encoded.rows.size()) : std::string(),
                                     name_of(one.cut)));
  }
  const bool is_refused = std::any_of(previews.findings.begin(), previews.findings.end(), [](const Finding& finding) {
    return finding.kind == FindingKind::kTemplateRefused;
  });
  if (encoded.rows.empty() && !is_refused) {
    previews.parts.push_back(preview(encoder.encode_whole(row), encoder.tokenizer(), "", "left_out"));
  }
}

// Thrown to end the reading when the row was found.
struct Found {};

}  // namespace

RowPreviews preview_row(const Row& row, const RowEncoder& encoder) {
  RowPreviews previews;
  previews.findings = inspect_row(row);
  const bool has_answers = std::holds_alternative<Preference>(row.content) || std::holds_alternative<Kto>(row.content);
  if (has_answers) {
    preview_answers(row, encoder, previews);
  } else {
    preview_whole(row, encoder, previews);
  }
  return previews;
}

Row find_row(const std::vector<std::string>& paths, const ReadOptions& options, int64_t number) {
  ReadOptions reading = options;
  reading.bad_rows = BadRows::kSkip;
  reading.may_be_empty = true;
  std::optional<Row> found;
  ReadReport report;
  try {
    report = for_each_row(paths, reading, [&](Row&& row) {
      if (row.source.row == number) found = std::move(row);
      if (found) throw Found();  // where the row is bad, only the end of the files shows why
    });
  } catch (const Found&) {
    return *std::move(found);
  }
  for (const Finding& finding : report.findings.kept()) {
    if (finding.source.row == number) throw input_error("{}. Correct it, or choose another row.", describe(finding));
  }
  const int64_t rows = report.rows + report.findings.total();
  if (number >= 1 && number <= rows) throw input_error("row {}: it cannot be read. Choose another row.", number);
  throw input_error("row {}: the data has {} rows. Choose one of them, counted from 1.", number, rows);
}

}  // namespace anneal::datasets
