// anneal data check, preview: what will be learned, seen before anything is trained.

#include "app/tune/command.h"
#include "app/tune/command_line.h"
#include "app/tune/data_flags.h"
#include "app/tune/data_report.h"
#include "app/tune/output.h"
#include "engine/session/model_source.h"
#include "kernels/cpu/cpu.h"

namespace anneal::tune {
namespace {

engine::RowEncoding encoding_for(const CommandLine& line, const engine::DataOptions& data) {
  const engine::ModelSource source = engine::open_model(
      {.model = line.required("--model"), .adapter = {}, .checkpoint = line.value("--checkpoint").value_or("")});
  return engine::make_row_encoding(source.template_folder.string(), source.description.architecture, data);
}

Json to_json(const datasets::Finding& finding) {
  Json made{{"row", finding.source.row}, {"line", finding.source.line}};
  if (finding.column > 0) made["column"] = finding.column;
  made["kind"] = datasets::name_of(finding.kind);
  made["message"] = finding.message;
  made["file"] = finding.source.file;
  return made;
}

Json to_json(const datasets::DatasetSummary& summary) {
  Json findings = Json::array();
  for (const auto& finding : summary.findings.kept()) findings.push_back(to_json(finding));
  Json answer{{"format", summary.format}, {"rows", summary.rows}, {"usable", summary.usable}, {"findings", findings}};
  if (summary.tokens) {
    const auto& t = *summary.tokens;
    answer["tokens"] = {{"min", t.lengths.shortest()},
                        {"median", t.lengths.median()},
                        {"p99", t.lengths.percentile(99)},
                        {"max", t.lengths.longest()},
                        {"total", t.total},
                        {"label", t.label_tokens}};
  }
  return answer;
}

int check(const CommandLine& line) {
  const engine::DataOptions data = engine::listing_options(data_options(line));
  std::optional<engine::RowEncoding> encoding;
  if (line.value("--model")) encoding = encoding_for(line, data);
  const datasets::DatasetSummary summary = datasets::summarise_dataset(
      data.data, engine::reading_options(data), encoding ? encoding->encoder.get() : nullptr, cpu_facts().cores);
  if (!summary.files.empty()) {
    if (line.has("--json")) {
      print_json(to_json(summary));
    } else {
      show_summary(summary, encoding ? &*encoding : nullptr);
    }
  }
  for (const std::string& problem : summary.problems) print_error(problem);
  const std::string nothing = nothing_usable(summary, data.data.front());
  if (!nothing.empty()) print_error(nothing);
  return summary.problems.empty() && nothing.empty() ? 0 : 1;
}

int preview(const CommandLine& line) {
  const engine::DataOptions data = engine::listing_options(data_options(line));
  const auto number = line.whole_number("--row").value_or(1);
  if (number < 1) throw UsageError("--row counts from 1.");
  const engine::RowEncoding encoding = encoding_for(line, data);
  const datasets::Row row = datasets::find_row(data.data, engine::reading_options(data), number);
  const datasets::RowPreviews previews = datasets::preview_row(row, *encoding.encoder);
  if (previews.parts.empty()) {
    for (const auto& finding : previews.findings)
      print_error(fmt::format("{}. Correct the row, or choose another template.", datasets::describe(finding)));
    return 1;
  }
  if (!line.has("--json")) {
    show_row(row, previews);
    return 0;
  }
  for (const datasets::RowPreview& part : previews.parts) {
    Json tokens = Json::array();
    for (const auto& token : part.tokens)
      tokens.push_back({{"id", token.id}, {"text", token.text}, {"learn", token.learn}});
    Json answer{{"text", part.text}, {"tokens", tokens}, {"cut", part.cut}};
    if (!part.name.empty()) answer["part"] = part.name;
    Json findings = Json::array();
    for (const auto& finding : previews.findings) findings.push_back(to_json(finding));
    answer["findings"] = findings;
    print_json(answer);
  }
  return 0;
}

int run_data(const std::vector<std::string>& words) {
  FlagSet flags{.switches = {"--json"}, .values = data_flags(), .lists = {"--data"}};
  flags.values.insert({"--model", "--checkpoint", "--row"});
  const CommandLine line(words, flags);
  line.expect_words(1, "check or preview");
  if (line.words()[0] == "check") return check(line);
  if (line.words()[0] == "preview") return preview(line);
  throw UsageError("anneal data wants check or preview. See anneal data --help.");
}

}  // namespace

extern const Command kData;
const Command kData{.name = "data",
                    .summary = "checks a data set, shows a row as tokens with what is learned",
                    .usage =
                        R"(anneal data check --data D... [--model M] [--json]
anneal data preview --data D... --model M [--row N] [--json]
     [--max-sequence-length N] [--train-on answers|last_answer|everything] [--too-long skip|trim_prompt|cut]
     [--chat-template T] [--columns prompt=question,completion=answer] [--bad-rows stop|skip]
     [--consecutive-turns keep|merge|skip|stop] [--empty-answers learn|skip] [--move-think-markup true]

check lists what is wrong or odd, with file and line, and counts tokens if a model is given. preview shows one row (from 1).
)",
                    .run = run_data};

}  // namespace anneal::tune
