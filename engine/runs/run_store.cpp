#include "engine/runs/run_store.h"

#include <sys/stat.h>
#include <sys/vfs.h>

#include <algorithm>
#include <random>

#include "engine/runs/process_identity.h"
#include "engine/runs/run_schema.h"

namespace anneal::engine {
namespace {

std::string new_id() {
  constexpr std::string_view kLetters = "23456789abcdefghjkmnpqrstuvwxyz";  // none that reads as another
  std::random_device random;
  std::string id;
  for (int i = 0; i < 8; ++i) id += kLetters[random() % kLetters.size()];
  return id;
}

std::filesystem::path whole_path(const std::filesystem::path& folder) {
  const std::filesystem::path whole = std::filesystem::absolute(folder).lexically_normal();
  return whole.has_filename() ? whole : whole.parent_path();
}

// Run folders hold people's texts. A folder that was there before and holds something keeps its permissions.
void make_private_folder(const std::filesystem::path& folder) {
  std::error_code error;
  if (folder.has_parent_path()) std::filesystem::create_directories(folder.parent_path(), error);
  if (::mkdir(folder.c_str(), 0700) == 0) return;
  if (!std::filesystem::is_directory(folder, error)) {
    throw input_error(
        "{}: cannot be made a folder ({}). Choose another place.", printable(folder.string(), 1000),
        std::filesystem::exists(folder, error) ? "a file has this name" : "no permission or no such place");
  }
  if (std::filesystem::is_empty(folder, error)) ::chmod(folder.c_str(), 0700);
}

// Their locks and shared memory do not reach other machines, which is what a write-ahead log rests on.
bool is_network_file_system(const std::filesystem::path& folder) {
  struct statfs facts{};
  if (::statfs(folder.c_str(), &facts) != 0) return false;
  constexpr std::array<uint32_t, 8> kNetwork = {
      0x6969,      // NFS
      0xFF534D42,  // CIFS
      0xFE534D42,  // SMB2
      0x517B,      // SMB
      0x65735546,  // FUSE: sshfs and others
      0x01021997,  // 9P: folders of a host
      0x0BD00BD0,  // Lustre
      0x47504653,  // GPFS
  };
  return std::find(kNetwork.begin(), kNetwork.end(), static_cast<uint32_t>(facts.f_type)) != kNetwork.end();
}

// A moved folder keeps its history only if it does not name its own place.
std::string path_in_record(const std::string& path, const std::filesystem::path& folder) {
  const std::filesystem::path whole = std::filesystem::path(path).lexically_normal();
  if (whole.is_relative()) return path;
  const std::filesystem::path inside = whole.lexically_relative(folder);
  return inside.empty() || *inside.begin() == ".." ? path : inside.string();
}

int64_t time_or_now(int64_t time_ms) { return time_ms != 0 ? time_ms : now_ms(); }

}  // namespace

RunStore::RunStore(std::filesystem::path folder, DatabaseAccess access, const std::string& vfs)
    : folder_(std::move(folder)),
      vfs_(vfs),
      database_(std::make_unique<Database>(folder_ / kRecordFile, access, vfs)) {}

RunStore RunStore::create(const std::filesystem::path& folder, const NewRun& run, const std::string& vfs) {
  const std::filesystem::path place = whole_path(folder);
  const auto refuse = [&] {
    return input_error("{}: holds a run already. Choose another folder, or go on with it: anneal resume {}",
                       printable(place.string(), 1000), printable(place.string(), 1000));
  };
  if (holds_a_run(place)) throw refuse();
  make_private_folder(place);
  RunStore store(place, DatabaseAccess::kCreate, vfs);
  store.id_ = new_id();
  {
    Transaction transaction(*store.database_);
    if (!is_empty_database(*store.database_)) throw refuse();  // another process was quicker
    create_run_schema(*store.database_);
    store.database_->prepare("INSERT INTO run VALUES (1, ?, ?, ?, ?, ?, '', 0, NULL, ?, ?)")
        .bind(1, store.id_)
        .bind(2, run.name.empty() ? place.filename().string() : run.name)
        .bind(3, now_ms())
        .bind(4, to_text(run.recipe))
        .bind(5, state_name(RunState::kPreparing))
        .bind(6, this_process())
        .bind(7, now_ms())
        .execute();
    transaction.commit();
  }
  store.is_holder_ = true;
  store.settle_journal();
  return store;
}

RunStore RunStore::take_over(const std::filesystem::path& folder, const std::string& vfs) {
  const std::filesystem::path place = whole_path(folder);
  if (!holds_a_run(place)) throw input_error("{}: holds no run. Check the path.", printable(place.string(), 1000));
  RunStore store(place, DatabaseAccess::kWrite, vfs);
  try {
    store.claim();
  } catch (const DatabaseError& error) {
    if (error.fault() != DatabaseFault::kOther && error.fault() != DatabaseFault::kReadOnly) throw;
    // Of a run that died elsewhere: its log cannot be shared on this file system, and need not be.
    store.use_rollback_journal();
    store.claim();
  }
  store.is_holder_ = true;
  store.settle_journal();
  return store;
}

void RunStore::claim() {
  Transaction transaction(*database_);
  check_run_schema(*database_);
  Statement run = database_->prepare("SELECT id, state, process, heartbeat_ms FROM run");
  if (!run.step()) throw input_error("{}: holds no run. Restore it from a copy.", database_->where());
  const std::string state = run.text(1);
  const bool goes_on = state == state_name(RunState::kPreparing) || state == state_name(RunState::kRunning) ||
                       state == state_name(RunState::kPaused);
  if (goes_on && is_held(run.text(2), run.integer(3))) {
    const std::string place = printable(folder_.string(), 1000);
    throw input_error("{}: the run is going on in process {}. Stop that one first: anneal control {} stop", place,
                      process_number(run.text(2)), place);
  }
  id_ = run.text(0);
  run.reset();
  database_->prepare("UPDATE run SET state = ?, message = '', process = ?, heartbeat_ms = ?")
      .bind(1, state_name(RunState::kPreparing))
      .bind(2, this_process())
      .bind(3, now_ms())
      .execute();
  database_->prepare("UPDATE control SET taken_ms = ? WHERE taken_ms IS NULL").bind(1, now_ms()).execute();
  transaction.commit();
}

void RunStore::settle_journal() {
  database_->execute("PRAGMA synchronous=NORMAL; PRAGMA journal_size_limit=16777216");
  if (is_network_file_system(folder_)) {
    use_rollback_journal();
    return;
  }
  try {
    has_write_ahead_log_ = database_->pragma_text("journal_mode=WAL") == "wal";
    // Only the first use tells whether the shared memory beside the file can be had.
    database_->execute("BEGIN IMMEDIATE; UPDATE run SET heartbeat_ms = heartbeat_ms; COMMIT");
  } catch (const DatabaseError& error) {
    has_write_ahead_log_ = false;
    if (error.fault() == DatabaseFault::kFull) throw;
    if (error.fault() == DatabaseFault::kBusy) return;  // somebody reads the record just now; the old journal does
  }
  if (!has_write_ahead_log_) use_rollback_journal();
}

void RunStore::use_rollback_journal() {
  // Leaving a log that cannot be shared takes a connection that has not tried to share it yet, and nobody else beside
  // it.
  database_ = std::make_unique<Database>(folder_ / kRecordFile, DatabaseAccess::kWrite, vfs_);
  database_->execute("PRAGMA locking_mode=EXCLUSIVE");
  database_->pragma_text("journal_mode=DELETE");
  database_->execute("PRAGMA locking_mode=NORMAL; PRAGMA synchronous=NORMAL; BEGIN IMMEDIATE; COMMIT");
  journal_notice_ = fmt::format(
      "{}: the file system allows no write-ahead log, so the record is written with a rollback journal. Reading it "
      "while the "
      "run goes on may have to wait; nothing is lost.",
      database_->where());
}

RunStore::~RunStore() {
  if (database_ == nullptr || !is_holder_) return;
  try {
    let_go();
  } catch (const Error&) {
    // The record stays as it is: a later reader sees that the process is gone.
  }
}

void RunStore::let_go() {
  database_->wait_when_busy(200);
  database_->execute("UPDATE run SET process = ''");
  // A plain file, without a log beside it. Somebody who reads it just now keeps the log; that does no harm.
  if (has_write_ahead_log_) database_->pragma_text("journal_mode=DELETE");
}

void RunStore::rewind_to(int64_t step) {
  Transaction transaction(*database_);
  for (const char* table : {"scalar", "event", "artifact"}) {
    database_->prepare(fmt::format("DELETE FROM {} WHERE step > ?", table)).bind(1, step).execute();
  }
  database_->prepare("UPDATE run SET step = ?").bind(1, step).execute();
  transaction.commit();
}

void RunStore::write(const RecordBatch& batch) {
  Transaction transaction(*database_);
  if (!batch.scalars.empty()) {
    Statement insert = database_->prepare("INSERT OR REPLACE INTO scalar VALUES (?, ?, ?)");
    for (const StoredScalar& scalar : batch.scalars) {
      insert.bind(1, *scalar.name).bind(2, scalar.step).bind(3, scalar.value).execute();
    }
  }
  for (const RecordItem& item : batch.items) write_item(item);
  if (batch.finished_step) {
    database_->prepare("UPDATE run SET step = max(step, ?)").bind(1, *batch.finished_step).execute();
  }
  if (batch.controls_taken_up_to > 0) {
    database_->prepare("UPDATE control SET taken_ms = ? WHERE taken_ms IS NULL AND id <= ?")
        .bind(1, now_ms())
        .bind(2, batch.controls_taken_up_to)
        .execute();
  }
  database_->prepare("UPDATE run SET heartbeat_ms = ?").bind(1, now_ms()).execute();
  transaction.commit();
}

void RunStore::write_item(const RecordItem& item) {
  Database& database = *database_;
  if (const auto* event = std::get_if<RunEvent>(&item)) {
    database.prepare("INSERT INTO event (time_ms, step, kind, data) VALUES (?, ?, ?, ?)")
        .bind(1, time_or_now(event->time_ms))
        .bind(2, event->step)
        .bind(3, event->kind)
        .bind(4, to_text(event->data))
        .execute();
  } else if (const auto* artifact = std::get_if<Artifact>(&item)) {
    database
        .prepare("INSERT OR REPLACE INTO artifact (path, kind, step, bytes, sha256, time_ms) VALUES (?, ?, ?, ?, ?, ?)")
        .bind(1, path_in_record(artifact->path, folder_))
        .bind(2, artifact->kind)
        .bind(3, artifact->step)
        .bind(4, artifact->bytes)
        .bind(5, artifact->sha256)
        .bind(6, time_or_now(artifact->time_ms))
        .execute();
  } else if (const auto* forgotten = std::get_if<ForgottenArtifact>(&item)) {
    database.prepare("DELETE FROM artifact WHERE path = ?").bind(1, path_in_record(forgotten->path, folder_)).execute();
  } else if (const auto* change = std::get_if<StateChange>(&item)) {
    ensure(change->state != RunState::kInterrupted, "a run cannot record that it was interrupted");
    database.prepare("UPDATE run SET state = ?, message = ?")
        .bind(1, state_name(change->state))
        .bind(2, change->message)
        .execute();
  } else if (const auto* total = std::get_if<TotalSteps>(&item)) {
    database.prepare("UPDATE run SET total_steps = ?").bind(1, total->steps).execute();
  }
}

std::vector<StoredRequest> RunStore::requests_after(int64_t after) const {
  Statement rows =
      database_->prepare("SELECT id, word FROM control WHERE taken_ms IS NULL AND id > ? ORDER BY id LIMIT 100");
  rows.bind(1, after);
  std::vector<StoredRequest> requests;
  while (rows.step()) {
    if (const auto request = request_from_name(rows.text(1))) requests.push_back({rows.integer(0), *request});
  }
  return requests;
}

}  // namespace anneal::engine
