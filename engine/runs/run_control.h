#pragma once
// The control word of a run: pause, continue, save, stop. The training loop reads it between micro-batches; the window
// writes it directly, and other processes by a row in the run's record that the recorder brings in.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

#include "engine/runs/run_record.h"

namespace anneal::engine {

enum class ControlRequest { kPause, kContinue, kSave, kStop };
std::string_view request_name(ControlRequest request);  // "pause"
std::optional<ControlRequest> request_from_name(std::string_view name);

// A single atomic number: reading it costs nothing, and a signal handler may post.
class ControlWord {
 public:
  void post(ControlRequest request);  // any thread, or a signal handler

  bool is_pause_wanted() const { return has(kPause); }
  bool is_save_wanted() const { return has(kSave); }
  bool is_stop_wanted() const { return has(kStop); }  // stays
  void save_is_done() { bits_.fetch_and(~kSave, std::memory_order_acq_rel); }

  // Returns when the run may go on, or has to save or stop first. The loop calls it after it has said that it is
  // paused.
  void wait_while_paused() const;

 private:
  static constexpr uint32_t kPause = 1, kSave = 2, kStop = 4;
  bool has(uint32_t bit) const { return (bits_.load(std::memory_order_acquire) & bit) != 0; }
  std::atomic<uint32_t> bits_{0};
};

// A request as it stands in the record.
struct StoredRequest {
  int64_t id = 0;
  ControlRequest request = ControlRequest::kPause;
};

// For other processes. Throws Error(kInput) where no run is going on in the folder, and says what its state is.
int64_t post_request(const std::filesystem::path& folder, ControlRequest request);

// Waits until the run has done what was asked (is paused, running, ended; a save: was taken up), at most `patience`.
// Returns the state that it is in then.
RunState wait_for_request(const std::filesystem::path& folder, ControlRequest request, int64_t id,
                          std::chrono::milliseconds patience);

}  // namespace anneal::engine
