// anneal runs list, show, metrics: history.

#include "app/tune/command.h"
#include "app/tune/command_line.h"
#include "app/tune/output.h"
#include "engine/runs/run_index.h"
#include "engine/runs/run_reader.h"
#include "engine/session/run_folder.h"
#include "engine/training/checkpoint.h"
#include "kernels/core/home_folder.h"

namespace anneal::tune {
namespace {

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

Json facts_json(const engine::RunFacts& facts) {
  return {{"id", facts.id},
          {"name", facts.name},
          {"folder", facts.folder.string()},
          {"state", engine::state_name(facts.state)},
          {"message", facts.message},
          {"step", facts.step},
          {"total_steps", or_null(facts.total_steps)},
          {"last_loss", or_null(facts.last_loss)},
          {"best_step", or_null(facts.best_step)},
          {"best_eval_loss", or_null(facts.best_eval_loss)},
          {"created_ms", facts.created_ms}};
}

void show_facts(const engine::RunFacts& facts) {
  std::string line = fmt::format("{}  {:<11} step {}{}", facts.id, engine::state_name(facts.state), facts.step,
                                 facts.total_steps ? fmt::format("/{}", *facts.total_steps) : "");
  if (facts.last_loss) line += fmt::format("  loss {:.4f}", *facts.last_loss);
  if (facts.best_eval_loss)
    line += fmt::format("  best {:.4f} (step {})", *facts.best_eval_loss, facts.best_step.value_or(0));
  print_line(line + "  " + facts.folder.string());
  if (!facts.message.empty()) print_line("          " + facts.message);
}

int list(const CommandLine& line) {
  line.expect_words(1, "\"list\"");
  const std::vector<engine::ListedRun> runs = engine::RunIndex(home_folder()).list();
  if (runs.empty() && !line.has("--json")) print_line("No runs yet. \"anneal train\" begins one.");
  for (const engine::ListedRun& run : runs) {
    if (line.has("--json")) {
      Json row = run.facts ? facts_json(*run.facts)
                           : Json{{"id", run.id}, {"name", run.name}, {"folder", run.folder.string()}};
      if (!run.trouble.empty()) row["trouble"] = run.trouble;
      print_json(row);
    } else if (run.facts) {
      show_facts(*run.facts);
    } else {
      print_line(fmt::format("{}  {}", run.id, run.trouble));
    }
  }
  return 0;
}

int show(const CommandLine& line) {
  line.expect_words(2, "\"show\" and a run's id or folder");
  const std::filesystem::path folder = engine::RunIndex(home_folder()).find(line.words()[1]);
  const engine::RunReader reader(folder);
  const engine::RunFacts facts = reader.facts();
  const auto checkpoints = engine::list_checkpoints(engine::RunFolder(folder).checkpoints());
  if (line.has("--json")) {
    Json row = facts_json(facts);
    row["recipe"] = facts.recipe;
    row["checkpoints"] = Json::array();
    for (const auto& checkpoint : checkpoints) {
      row["checkpoints"].push_back({{"step", checkpoint.state.position.step},
                                    {"eval_loss", or_null(checkpoint.state.eval_loss)},
                                    {"path", checkpoint.path.string()}});
    }
    row["events"] = Json::array();
    for (const auto& event : reader.events())
      row["events"].push_back(
          {{"step", event.step}, {"kind", event.kind}, {"time_ms", event.time_ms}, {"data", event.data}});
    print_json(row);
    return 0;
  }
  show_facts(facts);
  for (const auto& checkpoint : checkpoints) {
    print_line(fmt::format(
        "  checkpoint of step {}{}", checkpoint.state.position.step,
        checkpoint.state.eval_loss ? fmt::format(", evaluation loss {:.4f}", *checkpoint.state.eval_loss) : ""));
  }
  for (const auto& event : reader.events()) {
    if (event.kind == "notice" || event.kind == "error")
      print_line(fmt::format("  step {}: {}", event.step, event.data.value("message", "")));
  }
  return 0;
}

int metrics(const CommandLine& line) {
  line.expect_words(2, "\"metrics\" and a run's id or folder");
  const engine::RunReader reader(engine::RunIndex(home_folder()).find(line.words()[1]));
  const bool csv = line.has("--csv");
  const bool json = line.has("--json");
  if (csv && json) throw UsageError("--csv and --json exclude each other. Give one of them.");
  if (csv) print_line("step,name,value");
  reader.for_each_metric([&](int64_t step, const std::string& name, double value) {
    if (json) {
      print_json({{"step", step}, {"name", name}, {"value", value}});
    } else {
      print_line(csv ? fmt::format("{},{},{}", step, name, value) : fmt::format("{:>8}  {:<18} {}", step, name, value));
    }
  });
  return 0;
}

int run_runs(const std::vector<std::string>& words) {
  const CommandLine line(words, {.switches = {"--json", "--csv"}, .values = {}, .lists = {}});
  const std::string what = line.words().empty() ? "" : line.words()[0];
  if (what == "list") return list(line);
  if (what == "show") return show(line);
  if (what == "metrics") return metrics(line);
  throw UsageError("anneal runs wants list, show or metrics. See anneal runs --help.");
}

}  // namespace

extern const Command kRuns;
const Command kRuns{.name = "runs",
                    .summary = "history: what was trained, and how it went",
                    .usage =
                        R"(anneal runs list [--json]
anneal runs show ID|FOLDER [--json]
anneal runs metrics ID|FOLDER [--csv]
)",
                    .run = run_runs};

}  // namespace anneal::tune
