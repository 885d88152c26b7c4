#pragma once
// The one writer of a run's record (run.sqlite in the run's folder). Made on the thread that starts the run, then owned
// by the Recorder's thread; not thread-safe itself. At any time one process holds a run: a second one is refused. The
// journal is a write-ahead log where the file system allows one, so that readers never wait; else a rollback journal.
// A store that is closed in order leaves one plain file, readable from a read-only folder too.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/runs/database.h"
#include "engine/runs/run_control.h"
#include "engine/runs/run_record.h"

namespace anneal::engine {

struct StoredScalar {
  const std::string* name = nullptr;  // owned by whoever made the batch
  int64_t step = 0;
  double value = 0;
};

// What is written in one transaction: all of it or nothing.
struct RecordBatch {
  std::vector<StoredScalar> scalars = {};
  std::vector<RecordItem> items = {};
  std::optional<int64_t> finished_step = {};
  int64_t controls_taken_up_to = 0;  // requests up to this id are marked as taken
};

class RunStore {
 public:
  // Makes the folder (0700) where needed. Throws Error(kInput) where it holds a run already, and names `resume`.
  static RunStore create(const std::filesystem::path& folder, const NewRun& run, const std::string& vfs = {});
  // Takes over a run whose process is gone or has let go of it. Requests that nobody took are dropped.
  static RunStore take_over(const std::filesystem::path& folder, const std::string& vfs = {});

  RunStore(RunStore&&) = default;
  ~RunStore();

  const std::string& id() const { return id_; }
  const std::filesystem::path& folder() const { return folder_; }
  bool has_write_ahead_log() const { return has_write_ahead_log_; }
  // One sentence for the person where the file system does not allow a write-ahead log; else empty.
  const std::string& journal_notice() const { return journal_notice_; }

  // Forgets everything after `step`, so that a run which goes on from there has each step once.
  void rewind_to(int64_t step);

  void write(const RecordBatch& batch);  // also a sign of life
  // Requests newer than `after`, oldest first; words that nobody knows are passed over.
  std::vector<StoredRequest> requests_after(int64_t after) const;

 private:
  RunStore(std::filesystem::path folder, DatabaseAccess access, const std::string& vfs);
  void claim();
  void settle_journal();
  void use_rollback_journal();
  void let_go();
  void write_item(const RecordItem& item);

  std::filesystem::path folder_;
  std::string vfs_;
  std::unique_ptr<Database> database_;
  std::string id_;
  bool is_holder_ = false;  // this process stands in the record; a refused take-over must not let go of another's run
  bool has_write_ahead_log_ = false;
  std::string journal_notice_;
};

}  // namespace anneal::engine
