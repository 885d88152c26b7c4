#pragma once
// The chat template in a model's folder, and the texts of its special tokens that templates print.

#include <optional>
#include <string>

#include "datasets/templates/chat_template.h"
#include "kernels/core/json.h"

namespace anneal::datasets {

struct ChatTemplateFiles {
  ChatTemplate chat_template;
  // bos_token, eos_token, pad_token, … of tokenizer_config.json (and special_tokens_map.json for what it lacks); those
  // that the model has not are left out.
  Json special_tokens;
};

// chat_template.jinja if there is one, else "chat_template" in tokenizer_config.json, else in chat_template.json. Where
// a model has several, "tool_use" is taken when the conversation has tools, else "default". Empty optional: the folder
// has none. Throws Error(kInput) when a file is broken or the template cannot be parsed.
std::optional<ChatTemplateFiles> load_chat_template(const std::string& folder, bool with_tools = false);

// Also for a folder without a template.
Json load_special_tokens(const std::string& folder);

}  // namespace anneal::datasets
