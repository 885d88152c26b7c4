#include "ui/tasks/data_check.h"

#include <filesystem>

#include "datasets/doctor/dataset_summary.h"
#include "datasets/doctor/row_preview.h"
#include "engine/architecture/model_folder.h"
#include "engine/session/model_source.h"
#include "engine/session/row_encoding.h"
#include "kernels/core/error.h"
#include "ui/tasks/words.h"

namespace anneal::ui {
namespace {

std::optional<engine::RowEncoding> encoding_for(const engine::Recipe& recipe, const engine::DataOptions& data) {
  if (recipe.model.model.empty()) return std::nullopt;
  const engine::ModelSource source = engine::open_model({.model = recipe.model.model, .adapter = {}, .checkpoint = {}});
  return engine::make_row_encoding(source.template_folder.string(), source.description.architecture, data);
}

// A person knows which files were chosen: their names are enough.
QString without_folders(QString text, const std::vector<std::string>& paths) {
  for (const std::string& path : paths) {
    const std::string folder = std::filesystem::path(path).parent_path().string();
    if (!folder.empty()) text.replace(qt(folder) + "/", "");
  }
  return text;
}

QVector<FindingGroup> groups_of(const datasets::Findings& findings, const std::vector<std::string>& paths) {
  QVector<FindingGroup> groups;
  for (std::size_t i = 0; i < datasets::kFindingKinds; ++i) {
    const auto kind = static_cast<datasets::FindingKind>(i);
    if (findings.count(kind) == 0) continue;
    FindingGroup group{.count = findings.count(kind),
                       .name = qt(datasets::spoken_name(kind)),
                       .meaning = qt(std::string(datasets::meaning_of(kind)))};
    for (const datasets::Finding& finding : findings.kept()) {
      if (finding.kind != kind) continue;
      group.first = without_folders(qt(datasets::describe(finding)), paths);
      group.first_row = finding.source.row;
      break;
    }
    groups.push_back(group);
  }
  return groups;
}

DataReport report_on(const engine::Recipe& recipe, const StopFlag& flag) {
  const engine::DataOptions data = engine::listing_options(recipe.data);
  const std::optional<engine::RowEncoding> encoding = encoding_for(recipe, data);
  const datasets::DatasetSummary summary =
      datasets::summarise_dataset(data.data, engine::reading_options(data),
                                  encoding ? encoding->encoder.get() : nullptr, worker_threads(), [&flag] {
                                    if (flag.is_set()) throw WorkStopped();
                                  });
  DataReport report{.format = qt(summary.format), .rows = summary.rows, .usable = summary.usable};
  for (const auto& file : summary.files) report.reasons.push_back(without_folders(qt(file.reason), data.data));
  for (const auto& notice : summary.notices) report.reasons.push_back(qt(notice));
  for (const auto& problem : summary.problems) report.problems.push_back(qt(problem));
  report.findings = groups_of(summary.findings, data.data);
  if (!summary.tokens || !encoding) return report;
  const datasets::LengthHistogram& lengths = summary.tokens->lengths;
  report.has_tokens = true;
  report.tokens = summary.tokens->total;
  report.label_tokens = summary.tokens->label_tokens;
  report.longest = lengths.longest();
  report.median = static_cast<qint64>(lengths.median());
  report.limit = encoding->max_sequence_length;
  report.over_limit = lengths.rows_longer_than(report.limit);
  for (const auto& [length, rows] : lengths.counts()) report.lengths.push_back({length, rows});
  return report;
}

// What the file says, part by part, before any template.
struct RawText {
  static std::string of(const std::vector<datasets::Message>& messages) {
    std::string text;
    for (const datasets::Message& message : messages) {
      text += message.role + ": " + message.content.value_or("") + "\n";
      if (!message.tool_calls.is_null()) text += "  " + to_text(message.tool_calls) + "\n";
    }
    return text;
  }
  static std::string of(const datasets::TextOrMessages& either) {
    if (const auto* text = std::get_if<std::string>(&either)) return *text + "\n";
    return of(std::get<std::vector<datasets::Message>>(either));
  }
  std::string operator()(const datasets::Conversation& row) const { return of(row.messages); }
  std::string operator()(const datasets::PromptCompletion& row) const {
    return "prompt: " + row.prompt + "\n\ncompletion: " + row.completion;
  }
  std::string operator()(const datasets::Document& row) const { return row.text; }
  std::string operator()(const datasets::TokenRow& row) const { return to_text(Json(row.ids)); }
  std::string operator()(const datasets::Preference& row) const {
    return "prompt:\n" + of(row.prompt) + "\nchosen:\n" + of(row.chosen) + "\nrejected:\n" + of(row.rejected);
  }
  std::string operator()(const datasets::Kto& row) const {
    return "prompt:\n" + of(row.prompt) + "\ncompletion:\n" + of(row.completion) +
           (row.is_desirable ? "\nwanted" : "\nnot wanted");
  }
  std::string operator()(const datasets::Classification& row) const {
    return "text: " + row.text + "\n\nlabels: " + to_text(Json(row.labels));
  }
};

constexpr int kShownTokens = 20000;         // of a row; the rest is said
constexpr std::size_t kShownText = 200000;  // bytes

}  // namespace

struct DataCheck::Reading {
  std::optional<engine::Recipe> made_for;  // its model and data alone
  std::optional<engine::RowEncoding> encoding;
};

DataCheck::DataCheck() : reading_(std::make_shared<Reading>()) {}

ShownRow DataCheck::row_at(Reading& reading, const engine::Recipe& recipe, qint64 number) {
  const engine::DataOptions data = engine::listing_options(recipe.data);
  const datasets::Row row = datasets::find_row(data.data, engine::reading_options(data), number);
  ShownRow shown{.number = number, .source = without_folders(qt(datasets::describe(row.source)), data.data)};
  shown.raw = qt(std::visit(RawText(), row.content).substr(0, kShownText));
  engine::Recipe wanted;
  wanted.model.model = recipe.model.model;
  wanted.data = data;
  if (reading.made_for != wanted) {
    reading.made_for.reset();
    reading.encoding = encoding_for(recipe, data);
    reading.made_for = std::move(wanted);
  }
  const std::optional<engine::RowEncoding>& encoding = reading.encoding;
  if (!encoding) return shown;
  const datasets::RowPreviews previews = datasets::preview_row(row, *encoding->encoder);
  for (const auto& finding : previews.findings) shown.findings.push_back(qt(finding.message) + ".");
  for (const datasets::RowPreview& part : previews.parts) {
    if (!part.name.empty()) shown.rendered += qt(part.name) + ":\n";
    shown.rendered += qt(part.text.substr(0, kShownText)) + "\n";
    shown.cut = qt(part.cut);
    for (const datasets::PreviewToken& token : part.tokens) {
      if (shown.tokens.size() >= kShownTokens) break;
      shown.tokens.push_back({qt(token.text), token.learn, encoding->tokenizer->is_special(token.id)});
    }
  }
  return shown;
}

void DataCheck::check(const engine::Recipe& recipe) {
  is_going_on_ = true;
  checker_.run(
      this, [recipe](const StopFlag& flag) { return report_on(recipe, flag); },
      [this](const DataReport& report) {
        is_going_on_ = false;
        emit checked(report);
      },
      [this](const QString& sentence) {
        is_going_on_ = false;
        emit check_failed(sentence);
      });
}

void DataCheck::show_row(const engine::Recipe& recipe, qint64 number) {
  reader_.run(
      this, [reading = reading_, recipe, number](const StopFlag&) { return row_at(*reading, recipe, number); },
      [this](const ShownRow& row) { emit row_ready(row); },
      [this](const QString& sentence) { emit row_failed(sentence); });
}

void DataCheck::stop() {
  checker_.stop();
  reader_.stop();
  is_going_on_ = false;
}

}  // namespace anneal::ui
