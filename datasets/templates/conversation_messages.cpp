#include "datasets/templates/conversation_messages.h"

#include <array>
#include <string_view>

#include "kernels/core/error.h"

namespace anneal::datasets {
namespace {

// {"name": …, "arguments": "{\"city\": …}"} gets an object for its arguments.
void open_arguments(Json& call) {
  if (!call.is_object()) return;
  Json& holder = call.contains("function") && call["function"].is_object() ? call["function"] : call;
  const auto arguments = holder.find("arguments");
  if (arguments == holder.end() || !arguments->is_string()) return;
  try {
    Json parsed =
        parse_json(arguments->get_ref<const std::string&>(), "arguments", {.depth = 100, .allow_duplicate_keys = true});
    if (parsed.is_object()) *arguments = std::move(parsed);
  } catch (const Error&) {
    // Not JSON: the model wrote it so, and the template gets it so.
  }
}

Json prepared(const Json& message) {
  constexpr std::array<std::string_view, 3> kReasoning = {"reasoning_content", "thinking", "reasoning"};
  Json made = Json::object();
  const Json* reasoning = nullptr;
  for (const std::string_view name : kReasoning) {
    const auto found = message.find(std::string(name));
    if (reasoning == nullptr && found != message.end() && !found->is_null()) reasoning = &*found;
  }
  if (reasoning != nullptr) made["thinking"] = *reasoning;
  for (auto member = message.begin(); member != message.end(); ++member) {
    if (!member->is_null()) {
      made[member.key()] = *member;
    } else if (member.key() == "content" && message["role"] == "assistant") {
      made["content"] = "";
    }
  }
  if (reasoning != nullptr) made["reasoning_content"] = *reasoning;
  const auto calls = made.find("tool_calls");
  if (calls != made.end() && calls->is_array()) {
    for (Json& call : *calls) open_arguments(call);
  }
  return made;
}

}  // namespace

Json prepared_messages(const Json& messages) {
  if (!messages.is_array()) throw input_error("messages: no list of messages. Give a list of objects with a role.");
  Json list = Json::array();
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const Json& message = messages[i];
    if (!message.is_object())
      throw input_error("message {}: not an object. Give an object with role and content.", i + 1);
    const auto role = message.find("role");
    if (role == message.end() || !role->is_string()) {
      throw input_error("message {}: it has no role. Say who speaks: system, user, assistant or tool.", i + 1);
    }
    list.push_back(prepared(message));
  }
  return list;
}

}  // namespace anneal::datasets
