#pragma once
// Events as the command line prints them and the run store keeps them.

#include <string_view>

#include "engine/training/events.h"
#include "kernels/core/json.h"

namespace anneal::engine {

std::string_view kind_of(const Event& event);  // "plan", "step", …
Json event_json(const Event& event);           // {"event": kind, …}

}  // namespace anneal::engine
