#pragma once
// Who holds a run: a text that names one process of one start of one machine, so that a dead run is seen as dead even
// when its process number has been given to another program since.

#include <cstdint>
#include <string>
#include <string_view>

namespace anneal::engine {

enum class ProcessLife { kAlive, kGone, kUnknown };

// "<boot>/<process namespace>/<process number>/<start time>". Parts that the system does not tell stay empty.
std::string this_process();

// kUnknown: of another machine or container, or the system does not tell; then only a heartbeat can.
ProcessLife life_of(std::string_view identity);

// Whether somebody still holds a run: the process lives, or, where that cannot be told, gave a sign of life within the
// last minute. Nobody holds it under an empty identity.
bool is_held(std::string_view identity, int64_t heartbeat_ms);

// The process number in it, for sentences; 0 if there is none.
int process_number(std::string_view identity);

}  // namespace anneal::engine
