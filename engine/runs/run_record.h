#pragma once
// What the record of a run holds, as plain values. Written by RunStore, read by RunReader, shown by window and command.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "kernels/core/json.h"

namespace anneal::engine {

enum class RunState {
  kPreparing,  // loading, tokenising, planning
  kRunning,
  kPaused,
  kStopped,  // by the person; may be resumed
  kFinished,
  kFailed,
  kInterrupted,  // never written: a record that says "going on" and whose process is gone; may be resumed
};
std::string_view state_name(RunState state);  // "running"
bool is_going_on(RunState state);             // preparing, running, paused
bool may_be_resumed(RunState state);          // stopped, failed, interrupted

// One number of one step: loss, learning_rate, gradient_norm, tokens, elapsed_seconds, eval_loss, …
// A number that is not finite is kept as such and never counts as best. `eval_loss` decides which step is best.
struct Scalar {
  std::string_view name;
  double value = 0;
};

// Something that happened: kind "eval", "checkpoint", "notice", …, with what the command line prints for it.
struct RunEvent {
  int64_t step = 0;
  std::string kind = {};
  Json data = Json::object();
  int64_t time_ms = 0;  // since 1970; 0 when pushed: now
  int64_t id = 0;       // counts up within the run; given when written
};

// A file or folder that the run has made. `path` is relative to the run's folder where it lies inside, so that a moved
// folder keeps its history.
struct Artifact {
  std::string kind = {};  // "checkpoint", "adapter", "export"
  int64_t step = 0;
  std::string path = {};
  int64_t bytes = 0;
  std::string sha256 = {};
  int64_t time_ms = 0;  // 0 when pushed: now
};

struct StateChange {
  RunState state = RunState::kRunning;
  std::string message = {};  // why it failed, for people
};
struct TotalSteps {
  int64_t steps = 0;
};
struct ForgottenArtifact {
  std::string path = {};
};

// What must never be lost, in the order in which it happened.
using RecordItem = std::variant<RunEvent, Artifact, ForgottenArtifact, StateChange, TotalSteps>;

struct NewRun {
  std::string name = {};  // for people; empty: the folder's name
  Json recipe = {};
};

// A run as lists and headers show it.
struct RunFacts {
  std::string id;  // eight letters, given once; a moved or copied folder keeps it
  std::string name;
  std::filesystem::path folder;
  Json recipe;
  RunState state = RunState::kPreparing;  // as seen now: a dead run is kInterrupted
  std::string message;
  int64_t created_ms = 0;
  int64_t heartbeat_ms = 0;  // the last sign of life
  int64_t step = 0;          // finished steps
  std::optional<int64_t> total_steps;
  std::optional<double> last_loss;
  std::optional<int64_t> best_step;  // of the lowest finite eval_loss, the earliest of equals
  std::optional<double> best_eval_loss;
  int process = 0;  // number of the process that holds it, or held it last
};

// The file within a run's folder.
inline constexpr const char* kRecordFile = "run.sqlite";
bool holds_a_run(const std::filesystem::path& folder);

int64_t now_ms();  // wall clock, since 1970

}  // namespace anneal::engine
