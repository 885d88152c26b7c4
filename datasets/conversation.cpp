#include "datasets/conversation.h"

#include <fmt/format.h>

namespace anneal::datasets {

std::string describe(const Source& source) {
  return fmt::format("{}:{} (row {})", source.file, source.line, source.row);
}

Json to_json(const Message& message) {
  Json value = Json::object();
  value["role"] = message.role;
  value["content"] = message.content ? Json(*message.content) : Json(nullptr);
  if (message.name) value["name"] = *message.name;
  if (!message.tool_calls.is_null()) value["tool_calls"] = message.tool_calls;
  if (message.tool_call_id) value["tool_call_id"] = *message.tool_call_id;
  if (message.reasoning) value["reasoning_content"] = *message.reasoning;
  for (const auto& [key, member] : message.extra.items()) value.emplace(key, Json(member));
  return value;
}

Json to_json(const std::vector<Message>& messages) {
  Json list = Json::array();
  for (const Message& message : messages) list.push_back(to_json(message));
  return list;
}

}  // namespace anneal::datasets
