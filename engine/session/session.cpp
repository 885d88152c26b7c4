#include "engine/session/session.h"

#include "engine/files/small_json.h"
#include "engine/recipe/recipe_file.h"
#include "engine/runs/run_reader.h"
#include "engine/session/event_json.h"
#include "engine/session/memory_use.h"
#include "engine/session/preparation.h"
#include "engine/session/run_at_work.h"

namespace anneal::engine {

namespace {

// What a finished run said at its end.
DoneEvent done_as_recorded(const RunReader& reader, const std::string& out) {
  const RunFacts facts = reader.facts();
  DoneEvent done{.steps = facts.step,
                 .best_step = facts.best_step,
                 .best_eval_loss = facts.best_eval_loss,
                 .out = out,  // it may have been moved
                 .reason = "finished"};
  for (const RunEvent& event : reader.events()) {
    if (event.kind != kind_of(done)) continue;
    done.planned_bytes = event.data.value("planned_bytes", int64_t{0});
    done.fixed_bytes = event.data.value("fixed_bytes", int64_t{0});
    done.peak_bytes = event.data.value("peak_bytes", int64_t{0});
    done.reason = event.data.value("reason", done.reason);
  }
  return done;
}

}  // namespace

Session::Session(Recipe recipe, EventSink sink, SessionOptions options)
    : recipe_(std::move(recipe)), sink_(std::move(sink)), options_(std::move(options)) {}
Session::~Session() = default;

std::unique_ptr<Session> Session::resume(const std::filesystem::path& folder, EventSink sink, SessionOptions options) {
  if (!holds_a_run(folder))
    throw input_error("{}: holds no run. Give the folder that \"anneal train --out\" made.", folder.string());
  const RunFolder run(folder);
  Recipe recipe = recipe_from_json(read_small_json(run.recipe().string()), run.recipe().string());
  recipe.checkpoint.out = std::filesystem::absolute(folder).string();  // it may have been moved
  auto session = std::make_unique<Session>(std::move(recipe), std::move(sink), std::move(options));
  session->is_resumed_ = true;
  return session;
}

PlanEvent Session::plan() {
  Preparation prepared =
      prepare(recipe_, {.home = options_.home, .checks_out = false, .measures = options_.measures_product_rate}, sink_);
  sink_(prepared.event);
  return prepared.event;
}

DoneEvent Session::run() {
  const std::filesystem::path out = recipe_.checkpoint.out;
  if (is_resumed_) {
    const RunReader reader(out);
    if (reader.facts().state == RunState::kFinished) {
      const DoneEvent done = done_as_recorded(reader, out.string());
      sink_(done);
      return done;
    }
  } else if (!out.empty() && holds_a_run(out)) {
    throw input_error("{}: holds a run already. Go on with \"anneal resume {}\", or give another --out.", out.string(),
                      out.string());
  }
  recipe_ = with_absolute_paths(recipe_, std::filesystem::current_path());
  std::optional<Preparation> ready;
  try {
    ready = prepare(recipe_,
                    {.home = options_.home,
                     .may_cut_steps = !is_resumed_,
                     .measures = options_.measures_product_rate,
                     .is_stop_wanted = [this] { return control_.is_stop_wanted(); }},
                    sink_);
  } catch (const PreparationStopped&) {
    const DoneEvent done{.reason = "stopped"};  // nothing was made
    sink_(done);
    return done;
  }
  Preparation& prepared = *ready;
  std::vector<Problem> problems = prepared.event.problems;
  const std::filesystem::path parent = std::filesystem::absolute(out).parent_path();
  const int64_t free_disk = free_disk_bytes(parent.c_str());
  if (free_disk >= 0 && free_disk < prepared.event.disk_bytes) {
    problems.push_back({"out",
                        fmt::format("the checkpoints need {} bytes, {} are free", prepared.event.disk_bytes, free_disk),
                        "Free some space, set a smaller keep_checkpoints, or give another --out."});
  }
  prepared.event.problems = problems;
  sink_(prepared.event);
  if (!problems.empty()) throw ProblemError(std::move(problems));
  return RunAtWork(std::move(prepared), options_, sink_, control_).run();
}

}  // namespace anneal::engine
