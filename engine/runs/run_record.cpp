#include "engine/runs/run_record.h"

#include <array>
#include <chrono>

#include "kernels/core/error.h"

namespace anneal::engine {

std::string_view state_name(RunState state) {
  constexpr std::array<std::string_view, 7> kNames = {"preparing", "running", "paused",     "stopped",
                                                      "finished",  "failed",  "interrupted"};
  return kNames.at(static_cast<std::size_t>(state));
}

bool is_going_on(RunState state) {
  return state == RunState::kPreparing || state == RunState::kRunning || state == RunState::kPaused;
}

bool may_be_resumed(RunState state) {
  return state == RunState::kStopped || state == RunState::kFailed || state == RunState::kInterrupted;
}

bool holds_a_run(const std::filesystem::path& folder) {
  std::error_code error;
  const auto size = std::filesystem::file_size(folder / kRecordFile, error);
  return !error && size > 0;
}

int64_t now_ms() {
  using namespace std::chrono;
  return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}

}  // namespace anneal::engine
