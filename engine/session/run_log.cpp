#include "engine/session/run_log.h"

#include <fmt/chrono.h>

#include <ctime>

#include "engine/session/event_text.h"

namespace anneal::engine {

void RunLog::add(const Event& event) {
  if (std::holds_alternative<StepEvent>(event)) {
    constexpr auto kBetweenSteps = std::chrono::seconds(30);
    const auto now = std::chrono::steady_clock::now();
    if (now < next_step_) return;
    next_step_ = now + kBetweenSteps;
  }
  const std::string text = event_text(event);
  if (!text.empty()) add_text(text);
}

void RunLog::add_text(std::string_view text) {
  const std::string time = fmt::format("{:%Y-%m-%d %H:%M:%S}  ", fmt::gmtime(std::time(nullptr)));
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    file_ << time << text.substr(0, end) << '\n';
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  file_.flush();
  file_.clear();
}

}  // namespace anneal::engine
