#include "engine/runs/run_control.h"

#include <thread>

#include "engine/runs/run_reader.h"
#include "engine/runs/run_schema.h"

namespace anneal::engine {
namespace {

constexpr std::string_view kNames[] = {"pause", "continue", "save", "stop"};

bool is_done(ControlRequest request, RunState state, bool was_taken) {
  if (!is_going_on(state)) return true;
  switch (request) {
    case ControlRequest::kPause:
      return state == RunState::kPaused;
    case ControlRequest::kContinue:
      return was_taken && state != RunState::kPaused;
    case ControlRequest::kSave:
      return was_taken;
    case ControlRequest::kStop:
      return false;
  }
  return true;
}

}  // namespace

std::string_view request_name(ControlRequest request) { return kNames[static_cast<std::size_t>(request)]; }

std::optional<ControlRequest> request_from_name(std::string_view name) {
  for (std::size_t i = 0; i < std::size(kNames); ++i) {
    if (kNames[i] == name) return static_cast<ControlRequest>(i);
  }
  return std::nullopt;
}

void ControlWord::post(ControlRequest request) {
  switch (request) {
    case ControlRequest::kPause:
      bits_.fetch_or(kPause, std::memory_order_acq_rel);
      break;
    case ControlRequest::kContinue:
      bits_.fetch_and(~kPause, std::memory_order_acq_rel);
      break;
    case ControlRequest::kSave:
      bits_.fetch_or(kSave, std::memory_order_acq_rel);
      break;
    case ControlRequest::kStop:
      bits_.fetch_or(kStop, std::memory_order_acq_rel);
      break;
  }
}

void ControlWord::wait_while_paused() const {
  // Short naps and no condition variable: a signal handler may post, and may notify nobody.
  while (bits_.load(std::memory_order_acquire) == kPause) std::this_thread::sleep_for(std::chrono::milliseconds(20));
}

int64_t post_request(const std::filesystem::path& folder, ControlRequest request) {
  const RunFacts facts = RunReader(folder).facts();
  if (!is_going_on(facts.state)) {
    throw input_error("{}: no run is going on here; it is {} at step {}. {}", printable(facts.folder.string(), 1000),
                      state_name(facts.state), facts.step,
                      may_be_resumed(facts.state)
                          ? fmt::format("Go on with it: anneal resume {}", printable(facts.folder.string(), 1000))
                          : "There is nothing to control.");
  }
  Database database(facts.folder / kRecordFile, DatabaseAccess::kWrite);
  Transaction transaction(database);
  check_run_schema(database);
  database.prepare("INSERT INTO control (time_ms, word) VALUES (?, ?)")
      .bind(1, now_ms())
      .bind(2, request_name(request))
      .execute();
  Statement id = database.prepare("SELECT last_insert_rowid()");
  id.step();
  const int64_t posted = id.integer(0);
  id.reset();
  transaction.commit();
  return posted;
}

RunState wait_for_request(const std::filesystem::path& folder, ControlRequest request, int64_t id,
                          std::chrono::milliseconds patience) {
  const auto end = std::chrono::steady_clock::now() + patience;
  const RunReader reader(folder);
  while (true) {
    const RunState state = reader.facts().state;
    if (is_done(request, state, reader.was_request_taken(id)) || std::chrono::steady_clock::now() >= end) return state;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

}  // namespace anneal::engine
