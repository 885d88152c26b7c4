#pragma once
// What a person may choose to do about turns that many templates do not expect: two of one speaker in a row, and
// answers without text.

#include <optional>
#include <string>
#include <vector>

#include "datasets/conversation.h"

namespace anneal::datasets {

enum class ConsecutiveTurns {
  kKeep,   // as they are; a template that refuses them leaves the row out
  kMerge,  // they become one turn
  kSkip,   // the row is left out
  kStop,   // nothing is trained before they are mended
};

enum class EmptyAnswers {
  kLearn,  // they teach to end the turn at once
  kSkip,   // they stay in the conversation and are not learned
};

// "messages 3 and 4 are both by user"; empty: no two in a row. Several answers of tools may belong to one call.
std::optional<std::string> consecutive_turns(const std::vector<Message>& messages);

// Turns of one speaker in a row become one: their texts with an empty line between, their tool calls one after another.
// Learned only if each of them is.
void merge_consecutive_turns(std::vector<Message>& messages);

// An assistant's turn without text and without tool calls.
bool is_empty_answer(const Message& message);

}  // namespace anneal::datasets
