#pragma once
// Recipes that wait to be trained one after another, over night: ANNEAL_HOME/queue.sqlite. Any process may add or
// remove while one works through them. A failure is written down and the next one begins.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/runs/database.h"
#include "kernels/core/json.h"

namespace anneal::engine {

enum class QueueState { kWaiting, kRunning, kDone, kFailed, kInterrupted };
std::string_view queue_state_name(QueueState state);

struct QueuedRun {
  int64_t id = 0;
  QueueState state = QueueState::kWaiting;  // kInterrupted: stopped, or its process is gone; it runs again
  std::string name;
  Json recipe;
  std::string message;  // why it failed
  int64_t added_ms = 0;
  int64_t finished_ms = 0;  // 0: not yet
};

class RunQueue {
 public:
  explicit RunQueue(const std::filesystem::path& home);  // usually home_folder(); made where needed

  int64_t add(const Json& recipe, const std::string& name);  // its id
  std::vector<QueuedRun> list() const;                       // in the order in which they run
  // Throws Error(kInput) if there is none, or if it is running.
  void remove(int64_t id);

  // Takes the first that waits or was interrupted, and so on until none is left or `is_stopped` says so. `train`
  // returns whether the run came to its end; one that was stopped counts as interrupted. It throws for a failure, whose
  // sentence is kept. Returns how many failed. Refuses while another process works on the queue.
  int64_t run(const std::function<bool(const QueuedRun&)>& train, const std::function<bool()>& is_stopped);

 private:
  bool take_next(QueuedRun& next);
  void settle(int64_t id, QueueState state, const std::string& message);

  std::unique_ptr<Database> database_;
};

}  // namespace anneal::engine
