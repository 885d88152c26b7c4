// anneal train, resume, plan, control.

#include <unistd.h>

#include <algorithm>

#include "app/tune/command.h"
#include "app/tune/command_line.h"
#include "app/tune/output.h"
#include "app/tune/run_printer.h"
#include "app/tune/stop_signal.h"
#include "engine/recipe/recipe_file.h"
#include "engine/session/session.h"
#include "kernels/core/home_folder.h"

namespace anneal::tune {
namespace {

// The recipe file first, then --set and flags in the order given.
engine::Recipe recipe_from(const std::vector<std::string>& words, bool& json, bool& plan_only) {
  engine::Recipe recipe;
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (words[i] == "--recipe") recipe = engine::load_recipe(words[i + 1]);
  }
  std::vector<Problem> problems;
  const auto& fields = engine::recipe_fields();
  const auto set = [&](const std::string& name, const std::string& text) {
    if (auto problem = fields.set_text(recipe, name, text)) problems.push_back(*problem);
  };
  const FlagSet flags{.switches = {"--json", "--plan"}, .values = {"--recipe"}, .lists = {"--set", "--data", "--eval"}};
  const CommandLine line(words, flags, [&](const std::string& flag, const std::optional<std::string>& next) {
    const Field* field = fields.find_flag(flag);
    if (field == nullptr) {
      // Known elsewhere, not here: said by name rather than "unknown".
      std::string name = flag.substr(2);
      std::replace(name.begin(), name.end(), '-', '_');
      if (!fields.is_for_later(name)) throw UsageError(to_sentence(fields.refusal(name)));
      problems.push_back(fields.refusal(name));
      return next && !next->starts_with("--") ? 2 : 1;
    }
    if (field->kind == FieldKind::kBool && (!next || next->starts_with("--"))) {
      set(field->name, "true");
      return 1;
    }
    if (!next) throw UsageError(fmt::format("{} wants a value.", flag));
    set(field->name, *next);
    return 2;
  });
  line.expect_words(0, "flags alone");
  if (const auto data = line.list("--data"); !data.empty()) recipe.data.data = data;
  if (const auto eval = line.list("--eval"); !eval.empty()) recipe.data.eval_data = eval;
  for (const std::string& setting : line.list("--set")) {
    const std::size_t equals = setting.find('=');
    if (equals == std::string::npos)
      throw UsageError(fmt::format("--set wants key=value, got \"{}\".", printable(setting)));
    set(setting.substr(0, equals), setting.substr(equals + 1));
  }
  if (!problems.empty()) throw ProblemError(std::move(problems));
  json = line.has("--json");
  plan_only = line.has("--plan");
  return recipe;
}

int run_session(engine::Session& session) {
  const StopSignal signal(session.control());
  const engine::DoneEvent done = session.run();
  return StopSignal::was_sent() && done.reason == "stopped" ? kStoppedBySignal : 0;
}

int show_plan(engine::Session& session, bool json) {
  const engine::PlanEvent plan = session.plan();
  if (plan.problems.empty()) return 0;
  if (!json) {
    for (const Problem& problem : plan.problems) print_error(to_sentence(problem));
  }
  return 1;
}

int run_train(const std::vector<std::string>& words) {
  bool json = false;
  bool plan_only = false;
  engine::Recipe recipe = recipe_from(words, json, plan_only);
  engine::Session session(std::move(recipe), RunPrinter(json), {.home = home_folder()});
  return plan_only ? show_plan(session, json) : run_session(session);
}

int run_plan(const std::vector<std::string>& words) {
  bool json = false;
  bool plan_only = true;
  engine::Recipe recipe = recipe_from(words, json, plan_only);
  engine::Session session(std::move(recipe), RunPrinter(json), {.home = home_folder()});
  return show_plan(session, json);
}

int run_resume(const std::vector<std::string>& words) {
  const CommandLine line(words, {.switches = {"--json"}, .values = {}, .lists = {}});
  line.expect_words(1, "a run's folder");
  const auto session =
      engine::Session::resume(line.words()[0], RunPrinter(line.has("--json")), {.home = home_folder()});
  return run_session(*session);
}

int run_control(const std::vector<std::string>& words) {
  const CommandLine line(words, {.switches = {"--json"}, .values = {}, .lists = {}});
  line.expect_words(2, "a run's folder and one of pause, continue, save, stop");
  const auto request = engine::request_from_name(line.words()[1]);
  if (!request)
    throw UsageError(fmt::format("\"{}\" is none of pause, continue, save, stop.", printable(line.words()[1])));
  const std::filesystem::path folder = line.words()[0];
  const int64_t id = engine::post_request(folder, *request);
  constexpr auto kPatience = std::chrono::seconds(60);
  const engine::RunState state = engine::wait_for_request(folder, *request, id, kPatience);
  if (line.has("--json")) {
    print_json({{"state", engine::state_name(state)}});
  } else {
    print_line(engine::state_name(state));
  }
  return 0;
}

constexpr std::string_view kTrainUsage =
    R"(anneal train --model M --data D... [--eval E...] --out DIR [--recipe R.json] [--set key=value]... [--plan] [--json]

Checks everything, plans memory, then trains. --plan only plans. Ctrl+C stops and keeps (go on with "anneal resume DIR");
twice quits at once. D is a JSONL, JSON, CSV, TSV or TXT file, or a folder.
)";

}  // namespace

extern const Command kTrain, kResume, kPlan, kControl;
const Command kTrain{.name = "train",
                     .summary = "fine-tunes a model on a data set",
                     .usage = kTrainUsage,
                     .shows_recipe_keys = true,
                     .run = run_train};
const Command kPlan{.name = "plan",
                    .summary = "what a training would need: memory, time, disk",
                    .usage =
                        R"(anneal plan (the flags of anneal train) [--json]

Prints memory by label, steps, operations, time and disk without training. Status 1 if it does not fit.
)",
                    .shows_recipe_keys = true,
                    .run = run_plan};
const Command kResume{.name = "resume",
                      .summary = "goes on with a run exactly where it stopped",
                      .usage =
                          R"(anneal resume DIR [--json]

Goes on after the last checkpoint with the same rows, losses and learning rates as a run that was never stopped.
A finished run prints done.
)",
                      .run = run_resume};
const Command kControl{.name = "control",
                       .summary = "pauses, continues, saves or stops a running run",
                       .usage =
                           R"(anneal control DIR pause|continue|save|stop [--json]

Prints the state that the run is in afterwards.
)",
                       .run = run_control};

}  // namespace anneal::tune
