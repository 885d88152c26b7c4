#include "engine/runs/run_queue.h"

#include <array>

#include "engine/runs/file_lock.h"
#include "engine/runs/process_identity.h"
#include "engine/runs/run_record.h"

namespace anneal::engine {
namespace {

constexpr const char* kTable =
    "CREATE TABLE queued (id INTEGER PRIMARY KEY, state TEXT NOT NULL, name TEXT NOT NULL, recipe TEXT NOT NULL, "
    "message TEXT NOT NULL, added_ms INTEGER NOT NULL, finished_ms INTEGER NOT NULL, process TEXT NOT NULL)";

constexpr std::array<std::string_view, 5> kStates = {"waiting", "running", "done", "failed", "interrupted"};

std::unique_ptr<Database> open_queue(const std::filesystem::path& home) {
  const FileLock makes_the_folder(home / "queue.lock");
  auto database = std::make_unique<Database>(home / "queue.sqlite", DatabaseAccess::kCreate);
  Transaction transaction(*database);
  Statement table = database->prepare("SELECT count(*), max(sql) FROM sqlite_schema WHERE sql IS NOT NULL");
  table.step();
  if (table.integer(0) == 0) {
    table.reset();
    database->execute(kTable);
  } else if (table.integer(0) != 1 || table.text(1) != kTable) {
    throw input_error("{}: is not the queue of this program, or of another version. Move it away.", database->where());
  }
  table.reset();
  transaction.commit();
  return database;
}

QueuedRun read_row(const Statement& row, const std::string& where) {
  QueuedRun queued;
  queued.id = row.integer(0);
  for (std::size_t i = 0; i < kStates.size(); ++i) {
    if (kStates[i] == row.text(1)) queued.state = static_cast<QueueState>(i);
  }
  queued.name = row.text(2);
  queued.recipe = parse_json(row.text(3), where, {.depth = 64});
  queued.message = row.text(4);
  queued.added_ms = row.integer(5);
  queued.finished_ms = row.integer(6);
  // Only processes of this machine work on the queue, so that no heartbeat is needed.
  if (queued.state == QueueState::kRunning && life_of(row.text(7)) != ProcessLife::kAlive) {
    queued.state = QueueState::kInterrupted;
  }
  return queued;
}

constexpr const char* kColumns = "SELECT id, state, name, recipe, message, added_ms, finished_ms, process FROM queued ";

}  // namespace

std::string_view queue_state_name(QueueState state) { return kStates.at(static_cast<std::size_t>(state)); }

RunQueue::RunQueue(const std::filesystem::path& home) : database_(open_queue(home)) {}

int64_t RunQueue::add(const Json& recipe, const std::string& name) {
  Transaction transaction(*database_);
  database_
      ->prepare(
          "INSERT INTO queued (state, name, recipe, message, added_ms, finished_ms, process) "
          "VALUES ('waiting', ?, ?, '', ?, 0, '')")
      .bind(1, name)
      .bind(2, to_text(recipe))
      .bind(3, now_ms())
      .execute();
  Statement id = database_->prepare("SELECT last_insert_rowid()");
  id.step();
  const int64_t added = id.integer(0);
  id.reset();
  transaction.commit();
  return added;
}

std::vector<QueuedRun> RunQueue::list() const {
  Statement rows = database_->prepare(std::string(kColumns) + "ORDER BY id");
  std::vector<QueuedRun> all;
  while (rows.step()) all.push_back(read_row(rows, database_->where()));
  return all;
}

void RunQueue::remove(int64_t id) {
  Transaction transaction(*database_);
  Statement row = database_->prepare(std::string(kColumns) + "WHERE id = ?");
  row.bind(1, id);
  if (!row.step()) throw input_error("{}: nothing in the queue has this number. anneal queue list shows it.", id);
  if (read_row(row, database_->where()).state == QueueState::kRunning) {
    throw input_error("{}: is running. Stop it first.", id);
  }
  row.reset();
  database_->prepare("DELETE FROM queued WHERE id = ?").bind(1, id).execute();
  transaction.commit();
}

bool RunQueue::take_next(QueuedRun& next) {
  Transaction transaction(*database_);
  bool is_found = false;
  for (const QueuedRun& queued : list()) {
    if (queued.state == QueueState::kRunning) {
      throw input_error("{}: another process works on the queue (number {} runs). Wait for it.", database_->where(),
                        queued.id);
    }
    if (!is_found && (queued.state == QueueState::kWaiting || queued.state == QueueState::kInterrupted)) {
      next = queued;
      is_found = true;
    }
  }
  if (!is_found) return false;
  database_->prepare("UPDATE queued SET state = 'running', process = ? WHERE id = ?")
      .bind(1, this_process())
      .bind(2, next.id)
      .execute();
  transaction.commit();
  return true;
}

void RunQueue::settle(int64_t id, QueueState state, const std::string& message) {
  database_->prepare("UPDATE queued SET state = ?, message = ?, finished_ms = ?, process = '' WHERE id = ?")
      .bind(1, queue_state_name(state))
      .bind(2, message)
      .bind(3, now_ms())
      .bind(4, id)
      .execute();
}

int64_t RunQueue::run(const std::function<bool(const QueuedRun&)>& train, const std::function<bool()>& is_stopped) {
  int64_t failures = 0;
  for (QueuedRun next; !is_stopped() && take_next(next);) {
    try {
      const bool is_done = train(next);
      settle(next.id, is_done ? QueueState::kDone : QueueState::kInterrupted, "");
    } catch (const std::exception& error) {
      ++failures;
      settle(next.id, QueueState::kFailed, error.what());
    }
  }
  return failures;
}

}  // namespace anneal::engine
