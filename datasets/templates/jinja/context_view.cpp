#include "datasets/templates/jinja/context_view.h"

#include <string>

namespace anneal::datasets::jinja {

const Json& ContextView::truth(bool value) {
  static const Json kTrue = true;
  static const Json kFalse = false;
  return value ? kTrue : kFalse;
}

ContextView::Found ContextView::find(std::string_view name) const {
  if (messages != nullptr && name == "messages") return {messages, false};
  if (tools != nullptr && name == "tools") return {tools, false};
  if (add_generation_prompt && name == "add_generation_prompt") return {&truth(*add_generation_prompt), false};
  const std::string key(name);
  for (const Json* object : variables) {
    const auto found = object->find(key);
    if (found != object->end()) return {&*found, false};
  }
  if (special_tokens != nullptr) {
    const auto found = special_tokens->find(key);
    if (found != special_tokens->end()) return {&*found, true};
  }
  return {};
}

}  // namespace anneal::datasets::jinja
