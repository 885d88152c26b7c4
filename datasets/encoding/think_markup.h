#pragma once
// Answers that hold their reasoning as markup (<think>…</think>), while the model's template keeps it apart and writes
// the markup itself: rendered as they are, such a turn has two blocks.

#include <string_view>

#include "datasets/conversation.h"

namespace anneal::datasets {

// Whether an assistant's message holds think markup in its content.
bool has_think_markup(const Message& message);

// Moves what stands up to the last closing tag into the message's reasoning, with or without an opening tag, and trims
// line ends around both parts. False, and nothing is changed, if there is no closing tag or the message has reasoning
// already.
bool move_think_markup(Message& message);

}  // namespace anneal::datasets
