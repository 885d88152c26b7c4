#include "datasets/encoding/turn_repairs.h"

#include <fmt/format.h>

#include <utility>

#include "kernels/core/error.h"

namespace anneal::datasets {
namespace {

bool repeats(const Message& first, const Message& second) { return first.role == second.role && second.role != "tool"; }

void join(std::optional<std::string>& text, std::optional<std::string> more) {
  if (!more || more->empty()) return;
  if (text && !text->empty()) {
    *text += "\n\n" + *more;
  } else {
    text = std::move(more);
  }
}

void take_in(Message& message, Message&& next) {
  join(message.content, std::move(next.content));
  join(message.reasoning, std::move(next.reasoning));
  if (message.tool_calls.is_null()) {
    message.tool_calls = std::move(next.tool_calls);
  } else if (next.tool_calls.is_array()) {
    for (Json& call : next.tool_calls) message.tool_calls.push_back(std::move(call));
  }
  if (next.learn == false || !message.learn) message.learn = next.learn;
  for (const auto& [key, value] : next.extra.items()) {
    if (!message.extra.contains(key)) message.extra[key] = value;
  }
}

}  // namespace

std::optional<std::string> consecutive_turns(const std::vector<Message>& messages) {
  for (std::size_t i = 1; i < messages.size(); ++i) {
    if (!repeats(messages[i - 1], messages[i])) continue;
    return fmt::format("messages {} and {} are both by {}", i, i + 1, printable(messages[i].role));
  }
  return std::nullopt;
}

void merge_consecutive_turns(std::vector<Message>& messages) {
  std::vector<Message> merged;
  for (Message& message : messages) {
    if (!merged.empty() && repeats(merged.back(), message)) {
      take_in(merged.back(), std::move(message));
    } else {
      merged.push_back(std::move(message));
    }
  }
  messages = std::move(merged);
}

bool is_empty_answer(const Message& message) {
  return message.role == "assistant" && message.tool_calls.is_null() &&
         (!message.content || message.content->find_first_not_of(" \t\r\n") == std::string::npos);
}

}  // namespace anneal::datasets
