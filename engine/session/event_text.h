#pragma once
// Events as people read them: in the terminal and in a run's log.

#include <string>

#include "engine/training/events.h"

namespace anneal::engine {

// One or several lines without a line end at the last; empty for what is only shown while it goes on (progress).
std::string event_text(const Event& event);

std::string bytes_text(int64_t bytes);      // "102.0 MB", "1.53 GB"
std::string duration_text(double seconds);  // "2 h 05 min", "3 min 20 s", "7 s"

}  // namespace anneal::engine
