#pragma once
// Messages as chat templates expect them, from messages as data files have them.

#include "kernels/core/json.h"

namespace anneal::datasets {

// The same messages with
//   - members that are null left out, so that a template sees "not there" instead of printing "None"; the content of an
//     assistant's message, which is null beside tool calls, becomes "": templates join it to other texts;
//   - the arguments of tool calls as objects where they are JSON text that holds one;
//   - reasoning under the names that templates read: "reasoning_content", and "thinking" unless it is there.
// Throws Error(kInput) for what is no list of objects with a role: "message 2: …".
Json prepared_messages(const Json& messages);

}  // namespace anneal::datasets
