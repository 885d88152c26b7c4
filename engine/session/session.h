#pragma once
// One run, from a recipe to its last checkpoint: what both front ends stand on.
//
//   Session session(recipe, sink, options);
//   session.run();                      // on any thread; blocks until the run has ended
//   session.control().post(…);          // from any other thread or a signal handler
//
// The run's folder is made by run(); everything that can be known to be wrong is refused before it. A run that was
// stopped, killed or failed goes on by Session::resume exactly where its last checkpoint stands.

#include <atomic>
#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "engine/files/durable_file.h"
#include "engine/recipe/recipe.h"
#include "engine/runs/run_control.h"
#include "engine/training/events.h"

namespace anneal::engine {

class Model;

struct SessionOptions {
  std::filesystem::path home;                   // caches and the index of runs
  std::chrono::milliseconds disk_retry{10000};  // on a full disk
  bool measures_product_rate = true;
  FileWriter* files = &system_files();                      // checkpoints are written through it
  std::function<void(Model&, int64_t step)> before_update;  // tests: called with the finished gradients
};

class Session {
 public:
  Session(Recipe recipe, EventSink sink, SessionOptions options);
  // Takes its recipe from the folder. Throws Error(kInput) if it holds no run or is held by another process.
  static std::unique_ptr<Session> resume(const std::filesystem::path& folder, EventSink sink, SessionOptions options);
  ~Session();

  // Checks and plans, writes nothing but caches, and sends the plan. Throws ProblemError with all that is wrong, but
  // for what the plan itself says (it does not fit).
  PlanEvent plan();
  // Trains to the end, or until it is stopped. The last event is DoneEvent, which is returned too.
  DoneEvent run();

  ControlWord& control() { return control_; }

 private:
  Recipe recipe_;
  EventSink sink_;
  SessionOptions options_;
  bool is_resumed_ = false;
  ControlWord control_;
};

}  // namespace anneal::engine
