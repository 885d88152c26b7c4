#include "datasets/encoding/think_markup.h"

#include <string>

namespace anneal::datasets {
namespace {

constexpr std::string_view kOpen = "<think>";
constexpr std::string_view kClose = "</think>";

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of("\r\n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of("\r\n") - begin + 1);
}

}  // namespace

bool has_think_markup(const Message& message) {
  if (message.role != "assistant" || !message.content) return false;
  return message.content->find(kOpen) != std::string::npos || message.content->find(kClose) != std::string::npos;
}

bool move_think_markup(Message& message) {
  if (message.role != "assistant" || !message.content || message.reasoning) return false;
  const std::string_view content = *message.content;
  const std::size_t close = content.rfind(kClose);
  if (close == std::string_view::npos) return false;
  std::string_view reasoning = content.substr(0, close);
  if (const std::size_t open = reasoning.rfind(kOpen); open != std::string_view::npos) {
    // Text before the opening tag is no reasoning, and where it would belong is not known.
    if (!trimmed(reasoning.substr(0, open)).empty()) return false;
    reasoning.remove_prefix(open + kOpen.size());
  }
  std::string thought(trimmed(reasoning));
  std::string answer(content.substr(close + kClose.size()));
  answer.erase(
      0, answer.find_first_not_of("\r\n") == std::string::npos ? answer.size() : answer.find_first_not_of("\r\n"));
  message.reasoning = std::move(thought);
  message.content = std::move(answer);
  return true;
}

}  // namespace anneal::datasets
