// anneal data check, preview: what will be learned, seen before anything is trained.

#include <algorithm>

#include "app/tune/command.h"
#include "app/tune/command_line.h"
#include "app/tune/output.h"
#include "datasets/doctor/dataset_summary.h"
#include "datasets/doctor/row_preview.h"
#include "engine/recipe/recipe.h"
#include "engine/session/model_source.h"
#include "engine/session/row_encoding.h"
#include "kernels/cpu/cpu.h"

namespace anneal::tune {
namespace {

const std::set<std::string> kDataFlags{
    "--model", "--checkpoint", "--max-sequence-length", "--train-on", "--too-long", "--chat-template", "--columns"};

engine::DataOptions data_options(const CommandLine& line) {
  engine::Recipe recipe;
  recipe.data.data = line.list("--data");
  if (recipe.data.data.empty()) throw UsageError("--data is missing. See --help.");
  for (const char* name : {"max_sequence_length", "train_on", "too_long", "chat_template", "columns"}) {
    std::string flag = std::string("--") + name;
    std::replace(flag.begin(), flag.end(), '_', '-');
    const auto value = line.value(flag);
    if (!value) continue;
    if (auto problem = engine::recipe_fields().set_text(recipe, name, *value)) throw ProblemError(*problem);
  }
  return recipe.data;
}

engine::RowEncoding encoding_for(const CommandLine& line, const engine::DataOptions& data) {
  const engine::ModelSource source = engine::open_model(
      {.model = line.required("--model"), .adapter = {}, .checkpoint = line.value("--checkpoint").value_or("")});
  return engine::make_row_encoding(source.template_folder.string(), source.description.architecture, data);
}

Json finding_json(const datasets::Finding& finding) {
  return {{"row", finding.source.row},
          {"line", finding.source.line},
          {"file", finding.source.file},
          {"kind", datasets::name_of(finding.kind)},
          {"message", finding.message}};
}

int check(const CommandLine& line) {
  const engine::DataOptions data = data_options(line);
  std::optional<engine::RowEncoding> encoding;
  if (line.value("--model")) encoding = encoding_for(line, data);
  const datasets::DatasetSummary summary = datasets::summarise_dataset(
      data.data, {.columns = data.columns}, encoding ? encoding->encoder.get() : nullptr, cpu_facts().cores);
  if (line.has("--json")) {
    Json findings = Json::array();
    for (const auto& finding : summary.findings.kept()) findings.push_back(finding_json(finding));
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
    print_json(answer);
  } else {
    for (const auto& file : summary.files) print_line(fmt::format("{}: {}", printable(file.path, 300), file.reason));
    for (const auto& notice : summary.notices) print_line(notice);
    if (encoding) {
      for (const auto& fact : encoding->facts) print_line(fact);
    }
    print_line(fmt::format("{} rows ({}), {} usable.", summary.rows, summary.format, summary.usable));
    if (summary.tokens) {
      const auto& t = *summary.tokens;
      print_line(fmt::format(
          "Tokens: {} in all, {} of them learned; a row has {} to {}, half of them at most {}, 99 % at most {}.",
          t.total, t.label_tokens, t.lengths.shortest(), t.lengths.longest(), t.lengths.median(),
          t.lengths.percentile(99)));
    }
    constexpr std::size_t kShown = 20;
    for (std::size_t i = 0; i < std::min(kShown, summary.findings.kept().size()); ++i)
      print_line("  " + datasets::describe(summary.findings.kept()[i]));
    if (summary.findings.total() > static_cast<int64_t>(kShown))
      print_line(fmt::format("  … {} findings in all; --json lists them.", summary.findings.total()));
  }
  return summary.usable > 0 ? 0 : 1;
}

// Learned tokens stand between «…» for people.
void show_part(const datasets::RowPreview& part) {
  if (!part.name.empty()) print_line(part.name + ":");
  std::string text;
  bool learning = false;
  for (const auto& token : part.tokens) {
    if (token.learn != learning) text += token.learn ? "«" : "»";
    learning = token.learn;
    text += token.text;
  }
  print_line(text + (learning ? "»" : ""));
  print_line(fmt::format("({} tokens; what is learned stands between « and »; cut: {})", part.tokens.size(), part.cut));
}

int preview(const CommandLine& line) {
  const engine::DataOptions data = data_options(line);
  const auto number = line.whole_number("--row").value_or(1);
  const engine::RowEncoding encoding = encoding_for(line, data);
  const datasets::Row row = datasets::find_row(data.data, {.columns = data.columns}, number);
  const datasets::RowPreviews previews = datasets::preview_row(row, *encoding.encoder);
  for (const datasets::RowPreview& part : previews.parts) {
    if (!line.has("--json")) {
      show_part(part);
      continue;
    }
    Json tokens = Json::array();
    for (const auto& token : part.tokens)
      tokens.push_back({{"id", token.id}, {"text", token.text}, {"learn", token.learn}});
    Json answer{{"text", part.text}, {"tokens", tokens}, {"cut", part.cut}};
    if (!part.name.empty()) answer["part"] = part.name;
    print_json(answer);
  }
  for (const auto& finding : previews.findings) print_error(datasets::describe(finding));
  return previews.parts.empty() ? 1 : 0;
}

int run_data(const std::vector<std::string>& words) {
  FlagSet flags{.switches = {"--json"}, .values = kDataFlags, .lists = {"--data"}};
  flags.values.insert("--row");
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
     [--chat-template T] [--columns prompt=question,completion=answer]

check lists what is wrong or odd, with file and line, and counts tokens if a model is given. preview shows one row (from 1).
)",
                    .run = run_data};

}  // namespace anneal::tune
