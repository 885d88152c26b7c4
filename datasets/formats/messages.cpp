#include "datasets/formats/messages.h"

#include <algorithm>
#include <array>
#include <utility>

#include "kernels/core/error.h"

namespace anneal::datasets {
namespace {

// Members are looked up one after another, so an object of a million would take for ever.
constexpr std::size_t kMostMembers = 256;

std::string known_role(const std::string& role) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kRoles = {{
      {"human", "user"},
      {"gpt", "assistant"},
      {"chatgpt", "assistant"},
      {"bing", "assistant"},
      {"bard", "assistant"},
      {"model", "assistant"},
      {"function_call", "assistant"},
      {"observation", "tool"},
      {"function", "tool"},
  }};
  for (const auto& [name, meaning] : kRoles) {
    if (role == name) return std::string(meaning);
  }
  return role;
}

const Json* member(const Json& object, const std::string& key) {
  const auto found = object.find(key);
  return found == object.end() ? nullptr : &*found;
}

// Text parts joined as they stand; any other kind of part has no place in a text.
std::string join_parts(const Json& parts) {
  std::string text;
  for (const Json& part : parts) {
    if (part.is_string()) {
      text += part.get_ref<const std::string&>();
      continue;
    }
    const Json* kind = part.is_object() ? member(part, "type") : nullptr;
    const Json* held = part.is_object() ? member(part, "text") : nullptr;
    if (held != nullptr && held->is_string() && (kind == nullptr || *kind == "text")) {
      text += held->get_ref<const std::string&>();
      continue;
    }
    throw BadRow(fmt::format("its content has a part of type {}, and only text is read",
                             kind != nullptr ? printable(to_text(*kind)) : "unknown"));
  }
  return text;
}

std::optional<std::string> read_content(const Json* value) {
  if (value == nullptr || value->is_null()) return std::nullopt;
  if (value->is_array()) return join_parts(*value);
  if (std::optional<std::string> text = as_text(*value)) return text;
  throw BadRow("its content is no text");
}

std::optional<std::string> optional_text(const Json* value, const char* key) {
  if (value == nullptr || value->is_null()) return std::nullopt;
  if (!value->is_string()) throw BadRow(fmt::format("its \"{}\" is no text", key));
  return value->get<std::string>();
}

// {"name","arguments"}: arguments that are JSON inside a text become an object, as templates and servers expect.
Json read_function(const Json& function) {
  if (!function.is_object()) throw BadRow("its tool call is no object");
  const Json* name = member(function, "name");
  if (name == nullptr || !name->is_string()) throw BadRow("its tool call has no name");
  Json call = function;
  const Json* arguments = member(function, "arguments");
  if (arguments == nullptr) arguments = member(function, "parameters");
  call.erase("parameters");
  call["arguments"] = arguments == nullptr ? Json::object() : unpacked_text(*arguments);
  return call;
}

Json read_call(const Json& call) {
  const Json* function = call.is_object() ? member(call, "function") : nullptr;
  if (function == nullptr) return Json{{"type", "function"}, {"function", read_function(call)}};
  Json whole = call;
  if (!whole.contains("type")) whole["type"] = "function";
  whole["function"] = read_function(*function);
  return whole;
}

Json read_calls(const Json* value) {
  if (value == nullptr || value->is_null()) return nullptr;
  const Json held = unpacked_text(*value);
  if (held.is_array() && held.empty()) return nullptr;
  Json calls = Json::array();
  if (held.is_array()) {
    for (const Json& call : held) calls.push_back(read_call(call));
  } else if (held.is_object()) {
    calls.push_back(read_call(held));
  } else {
    throw BadRow("its tool calls are no list");
  }
  return calls;
}

std::optional<bool> read_weight(const Json* value) {
  if (value == nullptr || value->is_null()) return std::nullopt;
  if (value->is_boolean()) return value->get<bool>();
  if (value->is_number() && (*value == 0 || *value == 1)) return *value == 1;
  throw BadRow(fmt::format("its weight is {}, expected 0 or 1", printable(to_text(*value))));
}

bool is_known_member(const std::string& key) {
  static constexpr std::array<std::string_view, 9> kKnown = {"name",         "tool_calls",        "function_call",
                                                             "tool_call_id", "reasoning_content", "reasoning",
                                                             "weight",       "refusal",           "audio"};
  return std::find(kKnown.begin(), kKnown.end(), key) != kKnown.end();
}

std::string key_or(const std::string& chosen, const Json& item, const char* first, const char* second) {
  if (!chosen.empty()) return chosen;
  return item.contains(first) || !item.contains(second) ? first : second;
}

Message read_message(const Json& item, const MessageKeys& keys) {
  if (!item.is_object()) throw BadRow("it is no object with a role and a content");
  if (item.size() > kMostMembers) throw BadRow(fmt::format("it has more than {} members", kMostMembers));
  const std::string role_key = key_or(keys.role, item, "role", "from");
  const std::string content_key = key_or(keys.content, item, "content", "value");
  const Json* role = member(item, role_key);
  if (role == nullptr || !role->is_string()) throw BadRow(fmt::format("its \"{}\" is missing", printable(role_key)));

  Message message;
  const std::string& written_role = role->get_ref<const std::string&>();
  message.role = known_role(written_role);
  if (written_role == "function_call") {
    message.tool_calls = read_calls(member(item, content_key));
    if (message.tool_calls.is_null()) throw BadRow("its function call is empty");
  } else {
    message.content = read_content(member(item, content_key));
    message.tool_calls = read_calls(member(item, "tool_calls"));
    if (message.tool_calls.is_null()) message.tool_calls = read_calls(member(item, "function_call"));
  }
  message.name = optional_text(member(item, "name"), "name");
  message.tool_call_id = optional_text(member(item, "tool_call_id"), "tool_call_id");
  message.reasoning = optional_text(member(item, "reasoning_content"), "reasoning_content");
  if (!message.reasoning) message.reasoning = optional_text(member(item, "reasoning"), "reasoning");
  message.learn = read_weight(member(item, "weight"));
  if (!message.content && message.tool_calls.is_null() && !message.reasoning) {
    throw BadRow(fmt::format("its \"{}\" is missing", printable(content_key)));
  }
  for (const auto& [key, value] : item.items()) {
    if (key != role_key && key != content_key && !is_known_member(key)) message.extra[key] = value;
  }
  return message;
}

}  // namespace

std::vector<Message> read_messages(const Json& list, const MessageKeys& keys) {
  const Json held = unpacked_text(list);
  if (!held.is_array()) throw BadRow("the messages are no list");
  std::vector<Message> messages;
  messages.reserve(held.size());
  for (const Json& item : held) {
    try {
      messages.push_back(read_message(item, keys));
    } catch (const BadRow& problem) {
      throw BadRow(fmt::format("message {}: {}", messages.size() + 1, problem.what()));
    }
  }
  return messages;
}

Json read_tools(const Json& value) {
  Json held = unpacked_text(value);
  if (held.is_null() || (held.is_structured() && held.empty())) return nullptr;
  if (held.is_string() && held.get_ref<const std::string&>().find_first_not_of(" \t\r\n") == std::string::npos) {
    return nullptr;
  }
  if (held.is_object()) held = Json::array({held});
  if (!held.is_array()) throw BadRow("the tools are no list");
  for (Json& tool : held) {
    if (!tool.is_object()) throw BadRow("a tool is no object");
    if (!tool.contains("function") && tool.contains("name")) tool = Json{{"type", "function"}, {"function", tool}};
  }
  return held;
}

TextOrMessages read_text_or_messages(const RowFields& fields, std::string_view role) {
  const Json& value = fields.value(role);
  const auto is_message = [](const Json& item) {
    return item.is_object() && (item.contains("role") || item.contains("from"));
  };
  // A table has only texts, so there one that holds messages counts as them; elsewhere a text is a text.
  const Json held = fields.is_table() ? unpacked_text(value) : value;
  if (held.is_array() && (!value.is_string() || (!held.empty() && is_message(held.front())))) {
    return read_messages(held, fields.message_keys());
  }
  if (is_message(held)) return read_messages(Json::array({held}), fields.message_keys());
  return fields.text(role);
}

std::vector<Message> as_messages(TextOrMessages part, const char* role) {
  if (auto* text = std::get_if<std::string>(&part)) {
    if (text->empty() && std::string_view(role) == "user") return {};
    return {plain_message(role, std::move(*text))};
  }
  return std::get<std::vector<Message>>(std::move(part));
}

Message plain_message(std::string role, std::string content) {
  Message message;
  message.role = std::move(role);
  message.content = std::move(content);
  return message;
}

void put_system_first(std::vector<Message>& messages, const std::string& system) {
  if (system.empty() || (!messages.empty() && messages.front().role == "system")) return;
  messages.insert(messages.begin(), plain_message("system", system));
}

Json read_variables(const RowFields& fields) {
  Json variables = Json::object();
  if (const Json* documents = fields.column("documents")) {
    Json held = unpacked_text(*documents);
    if (held.is_array()) variables["documents"] = std::move(held);
  }
  if (const Json* more = fields.column("chat_template_kwargs")) {
    const Json held = unpacked_text(*more);
    if (!held.is_object() || held.size() > kMostMembers) throw BadRow("\"chat_template_kwargs\" is no small object");
    for (const auto& [key, value] : held.items()) variables[key] = value;
  }
  return variables;
}

}  // namespace anneal::datasets
