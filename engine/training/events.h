#pragma once
// What a run tells: the one stream of events that goes up to the window, the command line and the run store.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "kernels/core/error.h"

namespace anneal::engine {

struct PlanEvent {
  std::string verdict;                   // "fits", "tight", "no"
  std::map<std::string, int64_t> bytes;  // by label
  int64_t total_bytes = 0;
  int64_t device_free = 0;
  int64_t steps = 0;
  double flops_per_step = 0;
  double seconds = 0;  // forecast of the whole run
  int64_t disk_bytes = 0;
  std::string device;  // described for people
  std::string precision;
  std::string recompute;
  std::vector<std::string> facts;  // what was decided or found, a sentence each: data, template, precision
  std::vector<Problem> problems;
};

struct StepEvent {
  int64_t step = 0;  // finished optimizer steps, from 1
  double epoch = 0;  // finished part of the data, in epochs
  double loss = 0;   // per label token of this step alone
  double learning_rate = 0;
  double gradient_norm = 0;  // before clipping
  int64_t label_tokens = 0;
  int64_t tokens = 0;
  double tokens_per_second = 0;
  double peak_share = 0;  // of the product rate measured at the start
};

struct EvalEvent {
  int64_t step = 0;
  double loss = 0;  // per label token
  bool is_best = false;
};

struct CheckpointEvent {
  int64_t step = 0;
  std::string path;
};

struct NoticeEvent {
  std::string message;
};

// Long work before the first step.
struct ProgressEvent {
  std::string what;  // "Reading the data"
  int64_t done = 0;
  int64_t total = 0;  // 0: not known
};

struct DoneEvent {
  int64_t steps = 0;
  std::optional<int64_t> best_step;
  std::optional<double> best_eval_loss;
  int64_t planned_bytes = 0;
  int64_t fixed_bytes = 0;  // the program itself: code, libraries, files in memory
  int64_t peak_bytes = 0;   // measured: VmHWM
  std::string out;
  std::string reason;  // "finished", "stopped", "early stopping"
};

using Event = std::variant<PlanEvent, StepEvent, EvalEvent, CheckpointEvent, NoticeEvent, ProgressEvent, DoneEvent>;
using EventSink = std::function<void(const Event&)>;  // called on the session's thread; must not block

}  // namespace anneal::engine
