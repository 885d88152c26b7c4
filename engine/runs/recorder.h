#pragma once
// The thread that writes a run's record while the run trains. The training loop pushes and never waits: a push takes a
// lock that is held only to hand a list over. The thread commits once in 200 ms, gives a sign of life, and brings
// requests of other processes into the control word.
//
// When the disk is full, or the file cannot be written for another reason, everything stays in memory and is tried
// again every 10 s; health() says so, and the session should pause the run. The queue is bounded: past `capacity`
// numbers, new numbers of steps are left out and counted, and the record says how many; one lost point of a curve does
// no harm. Events, checkpoints and states are few, and each changes what the record means, so they are never left out.

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <initializer_list>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "engine/runs/run_control.h"
#include "engine/runs/run_record.h"
#include "engine/runs/run_store.h"

namespace anneal::engine {

struct RecorderOptions {
  std::chrono::milliseconds commit_every{200};
  std::chrono::milliseconds retry_every{10000};
  std::chrono::milliseconds heartbeat_every{2000};
  std::size_t capacity = 1 << 20;  // numbers; 24 MB
};

struct RecorderHealth {
  std::string trouble = {};  // one sentence while the record cannot be written; else empty
  bool is_disk_full = false;
  int64_t waiting = 0;   // numbers and items that are not on disk yet
  int64_t left_out = 0;  // numbers that found the queue full
};

class Recorder {
 public:
  // `control` outlives the recorder: the word that a front end holds too, so that what one of them pauses the other can
  // continue. Null: a word of its own.
  explicit Recorder(RunStore store, const RecorderOptions& options = {}, ControlWord* control = nullptr);
  ~Recorder();  // as finish()
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  // Any thread. A step that was pushed before is replaced. `step` counts finished optimizer steps.
  void scalars(int64_t step, std::span<const Scalar> values);
  void scalars(int64_t step, std::initializer_list<Scalar> values) {
    scalars(step, std::span(values.begin(), values.size()));
  }
  void event(RunEvent event) { push(std::move(event)); }
  void artifact(Artifact artifact) { push(std::move(artifact)); }
  void forget_artifact(std::string path) { push(ForgottenArtifact{std::move(path)}); }
  void state(RunState state, std::string message = {}) { push(StateChange{state, std::move(message)}); }
  void total_steps(int64_t steps) { push(TotalSteps{steps}); }

  ControlWord& control() { return control_; }
  RecorderHealth health() const;

  // Waits until everything that was pushed before is on disk; false if it is not after `patience`. Tries at once, also
  // within a pause after trouble.
  bool flush(std::chrono::milliseconds patience);
  // Writes the rest, closes the record and ends the thread; the last push should be a state. Returns a sentence if
  // something could not be written, else an empty text. Pushing afterwards is a fault of ours.
  std::string finish();

 private:
  using Clock = std::chrono::steady_clock;

  void push(RecordItem item);
  void work();
  void take_over_queue();  // queue_ -> batch_, under the lock
  void commit(Clock::time_point now);
  void write_batch();
  void bring_in_requests();

  const RecorderOptions options_;
  ControlWord own_control_;
  ControlWord& control_;

  mutable std::mutex mutex_;
  std::condition_variable wake_;       // for the thread
  std::condition_variable committed_;  // for flush()
  // Under mutex_:
  std::set<std::string, std::less<>> names_;  // of numbers; never removed, so that rows may point to them
  RecordBatch queue_;
  RecorderHealth health_;
  uint64_t pushed_ = 0;   // counts pushes
  uint64_t written_ = 0;  // pushes that are on disk
  bool is_flush_wanted_ = false;
  bool is_ending_ = false;

  // The thread's own:
  std::optional<RunStore> store_;  // empty once finished
  RecordBatch batch_;              // taken from the queue and not on disk yet
  uint64_t batch_end_ = 0;
  int64_t left_out_seen_ = 0;      // at the last hand-over
  int64_t left_out_reported_ = 0;  // told in the record
  int64_t last_request_ = 0;
  Clock::time_point next_try_;
  Clock::time_point next_heartbeat_;

  std::thread thread_;
};

}  // namespace anneal::engine
