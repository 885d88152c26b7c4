#include "engine/runs/run_reader.h"

#include <algorithm>
#include <queue>

#include "engine/runs/process_identity.h"
#include "engine/runs/run_schema.h"

namespace anneal::engine {
namespace {

constexpr std::size_t kMostMetrics = 4096;  // the recorder's own limit

RunState state_from_name(const std::string& name, const std::string& where) {
  for (int i = 0; i <= static_cast<int>(RunState::kInterrupted); ++i) {
    if (state_name(static_cast<RunState>(i)) == name) return static_cast<RunState>(i);
  }
  throw input_error("{}: the state \"{}\" is unknown. Restore it from a copy.", where, printable(name));
}

// Opens and checks; the check is the first read, which is where a folder that cannot be written shows.
std::unique_ptr<Database> open_checked(const std::filesystem::path& file, DatabaseAccess access) {
  auto database = std::make_unique<Database>(file, access);
  check_run_schema(*database);
  return database;
}

}  // namespace

RunReader::RunReader(const std::filesystem::path& folder)
    : folder_(std::filesystem::absolute(folder).lexically_normal()) {
  if (!holds_a_run(folder_)) throw input_error("{}: holds no run. Check the path.", printable(folder_.string(), 1000));
  const std::filesystem::path file = folder_ / kRecordFile;
  try {
    database_ = open_checked(file, DatabaseAccess::kRead);
  } catch (const DatabaseError& error) {
    if (error.fault() != DatabaseFault::kOther && error.fault() != DatabaseFault::kReadOnly) throw;
    // A log needs a file beside it that a read-only folder, or a file system without shared memory, does not give.
    // Nobody can be writing there, so none is needed.
    database_ = open_checked(file, DatabaseAccess::kReadUnchanging);
    std::error_code none;
    const auto log_bytes = std::filesystem::file_size(file.string() + "-wal", none);
    if (!none && log_bytes > 0) {
      notice_ = fmt::format(
          "{}: the folder is read-only, so the last moments of an interrupted run cannot be read. Copy the "
          "folder to see them.",
          database_->where());
    }
  }
}

RunFacts RunReader::facts() const {
  Statement run = database_->prepare(
      "SELECT id, name, recipe, state, message, created_ms, heartbeat_ms, step, total_steps, process FROM run");
  if (!run.step()) throw input_error("{}: holds no run. Restore it from a copy.", database_->where());
  RunFacts facts;
  facts.id = run.text(0);
  facts.name = run.text(1);
  facts.folder = folder_;
  facts.recipe = parse_json(run.text(2), database_->where(), {.depth = 64});
  facts.state = state_from_name(run.text(3), database_->where());
  facts.message = run.text(4);
  facts.created_ms = run.integer(5);
  facts.heartbeat_ms = run.integer(6);
  facts.step = run.integer(7);
  if (!run.is_null(8)) facts.total_steps = run.integer(8);
  facts.process = process_number(run.text(9));
  if (is_going_on(facts.state) && !is_held(run.text(9), facts.heartbeat_ms)) facts.state = RunState::kInterrupted;

  Statement last = database_->prepare("SELECT value FROM scalar WHERE name = 'loss' ORDER BY step DESC LIMIT 1");
  if (last.step()) facts.last_loss = last.real(0);
  Statement best = database_->prepare(
      "SELECT step, value FROM scalar WHERE name = 'eval_loss' AND abs(value) < 9e999 ORDER BY value, step LIMIT 1");
  if (best.step()) {
    facts.best_step = best.integer(0);
    facts.best_eval_loss = best.real(1);
  }
  return facts;
}

std::vector<RunEvent> RunReader::events(int64_t after_id, int64_t limit) const {
  Statement rows =
      database_->prepare("SELECT id, time_ms, step, kind, data FROM event WHERE id > ? ORDER BY id LIMIT ?");
  rows.bind(1, after_id).bind(2, limit);
  std::vector<RunEvent> events;
  while (rows.step()) {
    RunEvent event;
    event.id = rows.integer(0);
    event.time_ms = rows.integer(1);
    event.step = rows.integer(2);
    event.kind = rows.text(3);
    event.data = parse_json(rows.text(4), database_->where(), {.depth = 64});
    events.push_back(std::move(event));
  }
  return events;
}

std::vector<Artifact> RunReader::artifacts() const {
  Statement rows = database_->prepare(
      "SELECT kind, step, path, bytes, sha256, time_ms FROM artifact ORDER BY time_ms, step, path LIMIT 100000");
  std::vector<Artifact> artifacts;
  while (rows.step()) {
    artifacts.push_back({.kind = rows.text(0),
                         .step = rows.integer(1),
                         .path = rows.text(2),
                         .bytes = rows.integer(3),
                         .sha256 = rows.text(4),
                         .time_ms = rows.integer(5)});
  }
  return artifacts;
}

std::vector<std::string> RunReader::metric_names() const {
  // From one name to the next: a scan for distinct ones would read every row.
  Statement next = database_->prepare("SELECT name FROM scalar WHERE name > ? ORDER BY name LIMIT 1");
  std::vector<std::string> names;
  for (std::string last;; names.push_back(last)) {
    next.bind(1, last);
    if (!next.step()) return names;
    last = next.text(0);
    next.reset();
    if (names.size() == kMostMetrics) {
      throw input_error("{}: holds more than {} curves. Restore it from a copy.", database_->where(), kMostMetrics);
    }
  }
}

std::vector<MetricPoint> RunReader::metric(const std::string& name, int64_t after_step) const {
  Statement rows = database_->prepare("SELECT step, value FROM scalar WHERE name = ? AND step > ? ORDER BY step");
  rows.bind(1, name).bind(2, after_step);
  std::vector<MetricPoint> points;
  while (rows.step()) points.push_back({rows.integer(0), rows.real(1)});
  return points;
}

void RunReader::for_each_metric(
    const std::function<void(int64_t step, const std::string& name, double value)>& take) const {
  // Every curve lies sorted by step: one cursor on each, and always the one that is furthest behind moves on.
  const std::vector<std::string> names = metric_names();
  std::vector<Statement> curves;
  using Place = std::pair<int64_t, std::size_t>;  // step, curve; curves are in the order of their names
  std::priority_queue<Place, std::vector<Place>, std::greater<>> order;
  for (std::size_t i = 0; i < names.size(); ++i) {
    curves.push_back(database_->prepare("SELECT step, value FROM scalar WHERE name = ? ORDER BY step"));
    curves[i].bind(1, names[i]);
    if (curves[i].step()) order.push({curves[i].integer(0), i});
  }
  while (!order.empty()) {
    const auto [step, curve] = order.top();
    order.pop();
    take(step, names[curve], curves[curve].real(1));
    if (curves[curve].step()) order.push({curves[curve].integer(0), curve});
  }
}

bool RunReader::was_request_taken(int64_t id) const {
  Statement row = database_->prepare("SELECT 1 FROM control WHERE id = ? AND taken_ms IS NOT NULL");
  row.bind(1, id);
  return row.step();
}

}  // namespace anneal::engine
