// anneal queue: recipes that are trained one after another.

#include <charconv>

#include "app/tune/command.h"
#include "app/tune/command_line.h"
#include "app/tune/output.h"
#include "app/tune/run_printer.h"
#include "app/tune/stop_signal.h"
#include "engine/recipe/recipe_file.h"
#include "engine/runs/run_queue.h"
#include "engine/runs/run_store.h"
#include "engine/session/session.h"
#include "kernels/core/home_folder.h"

namespace anneal::tune {
namespace {

int add(const CommandLine& line, engine::RunQueue& queue) {
  line.expect_words(2, "\"add\" and a recipe file");
  const std::string& path = line.words()[1];
  // Paths in a recipe count from where it is added, not from where the queue is worked through.
  const engine::Recipe recipe = engine::with_absolute_paths(engine::load_recipe(path), std::filesystem::current_path());
  const int64_t id = queue.add(engine::recipe_to_json(recipe), std::filesystem::path(path).stem().string());
  if (line.has("--json")) {
    print_json({{"id", id}});
  } else {
    print_line(fmt::format("{} is number {} of the queue. \"anneal queue run\" works through it.", path, id));
  }
  return 0;
}

int list(const CommandLine& line, const engine::RunQueue& queue) {
  line.expect_words(1, "\"list\"");
  const std::vector<engine::QueuedRun> runs = queue.list();
  if (runs.empty() && !line.has("--json")) print_line("The queue is empty. \"anneal queue add RECIPE\" adds to it.");
  for (const engine::QueuedRun& run : runs) {
    const std::string out = run.recipe.value("out", "");
    if (line.has("--json")) {
      print_json({{"id", run.id},
                  {"state", engine::queue_state_name(run.state)},
                  {"name", run.name},
                  {"out", out},
                  {"message", run.message},
                  {"added_ms", run.added_ms},
                  {"finished_ms", run.finished_ms > 0 ? Json(run.finished_ms) : Json()}});
      continue;
    }
    print_line(fmt::format("{:>4}  {:<11}  {}  {}", run.id, engine::queue_state_name(run.state), run.name, out));
    if (!run.message.empty()) print_line("      " + run.message);
  }
  return 0;
}

int remove(const CommandLine& line, engine::RunQueue& queue) {
  line.expect_words(2, "\"remove\" and a number of \"anneal queue list\"");
  const std::string& word = line.words()[1];
  int64_t id = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), id);
  if (error != std::errc() || end != word.data() + word.size()) {
    throw UsageError(fmt::format("\"{}\" is no number of the queue.", printable(word)));
  }
  queue.remove(id);
  return 0;
}

// What was begun goes on, be it by this queue or by hand.
std::unique_ptr<engine::Session> session_of(const engine::QueuedRun& run, const RunPrinter& printer) {
  const engine::Recipe recipe = engine::recipe_from_json(run.recipe, fmt::format("queue entry {}", run.id));
  const engine::SessionOptions options{.home = home_folder()};
  if (!recipe.checkpoint.out.empty() && engine::holds_a_run(recipe.checkpoint.out)) {
    return engine::Session::resume(recipe.checkpoint.out, printer, options);
  }
  return std::make_unique<engine::Session>(recipe, printer, options);
}

int run(const CommandLine& line, engine::RunQueue& queue) {
  line.expect_words(1, "\"run\"");
  const bool json = line.has("--json");
  const int64_t failures = queue.run(
      [&](const engine::QueuedRun& next) {
        json ? print_json({{"event", "queue"}, {"id", next.id}, {"name", next.name}})
             : print_line(fmt::format("== {} (number {})", next.name, next.id));
        try {
          const auto session = session_of(next, RunPrinter(json));
          const StopSignal signal(session->control());
          return session->run().reason != "stopped";
        } catch (const std::exception& error) {
          print_error(error.what());
          throw;
        }
      },
      [] { return StopSignal::was_sent(); });
  if (StopSignal::was_sent()) return kStoppedBySignal;
  return failures == 0 ? 0 : 1;
}

int run_queue(const std::vector<std::string>& words) {
  const CommandLine line(words, {.switches = {"--json"}, .values = {}, .lists = {}});
  const std::string what = line.words().empty() ? "" : line.words()[0];
  engine::RunQueue queue(home_folder());
  if (what == "add") return add(line, queue);
  if (what == "list") return list(line, queue);
  if (what == "remove") return remove(line, queue);
  if (what == "run") return run(line, queue);
  throw UsageError("anneal queue wants add, list, run or remove. See anneal queue --help.");
}

}  // namespace

extern const Command kQueue;
const Command kQueue{.name = "queue",
                     .summary = "trains one recipe after another",
                     .usage =
                         R"(anneal queue add R.json      a recipe, with all that "anneal train" would be given
anneal queue list [--json]
anneal queue run [--json]    one after another; a failure is written down and the next one begins
anneal queue remove ID
)",
                     .run = run_queue};

}  // namespace anneal::tune
