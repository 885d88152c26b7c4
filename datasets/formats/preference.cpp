// Two answers to one prompt: {"prompt", "chosen", "rejected"} as texts or messages, with the prompt left out where both
// answers repeat it, ShareGPT's {"conversations", "chosen", "rejected"}, and OpenAI's
// {"input", "preferred_output", "non_preferred_output"}.

#include "datasets/formats/preference.h"

#include <algorithm>

#include "datasets/formats/format_list.h"
#include "datasets/formats/messages.h"

namespace anneal::datasets {

TextOrMessages read_prompt(const RowFields& fields) {
  const std::string system = fields.text_or_empty("system");
  if (fields.has("messages")) {
    std::vector<Message> messages = read_messages(fields.value("messages"), fields.message_keys());
    put_system_first(messages, system);
    return messages;
  }
  TextOrMessages prompt = std::string();
  if (fields.has("prompt")) {
    prompt = read_text_or_messages(fields, "prompt");
  } else if (fields.has("instruction")) {
    std::string question = fields.text("instruction");
    const std::string input = fields.text_or_empty("input");
    if (!question.empty() && !input.empty()) question += '\n';
    prompt = std::vector<Message>{plain_message("user", question + input)};
  }
  if (!system.empty()) {
    std::vector<Message> messages = as_messages(std::move(prompt), "user");
    put_system_first(messages, system);
    return messages;
  }
  return prompt;
}

void fit_together(TextOrMessages& prompt, TextOrMessages& answer) {
  const bool are_texts = std::holds_alternative<std::string>(prompt) && std::holds_alternative<std::string>(answer);
  if (are_texts) return;
  prompt = as_messages(std::move(prompt), "user");
  answer = as_messages(std::move(answer), "assistant");
  const auto& prompt_messages = std::get<std::vector<Message>>(prompt);
  auto& messages = std::get<std::vector<Message>>(answer);
  if (!prompt_messages.empty() && messages.size() > prompt_messages.size() &&
      std::equal(prompt_messages.begin(), prompt_messages.end(), messages.begin())) {
    messages.erase(messages.begin(), messages.begin() + static_cast<std::ptrdiff_t>(prompt_messages.size()));
  }
}

namespace {

// Texts share their beginning up to the last blank before they differ; so no word is torn between prompt and answer.
void split_shared_text(std::string& prompt, std::string& chosen, std::string& rejected) {
  const auto differs = std::mismatch(chosen.begin(), chosen.end(), rejected.begin(), rejected.end());
  const auto shared = static_cast<std::size_t>(differs.first - chosen.begin());
  const std::size_t blank = shared == 0 ? std::string::npos : chosen.find_last_of(" \n\t", shared - 1);
  if (blank == std::string::npos || shared == chosen.size() || shared == rejected.size()) return;
  // A blank goes with the word behind it, as tokenizers have it; a line end stays with the prompt.
  const std::size_t size = chosen[blank] == ' ' ? blank : blank + 1;
  prompt = chosen.substr(0, size);
  chosen.erase(0, size);
  rejected.erase(0, size);
}

void split_shared_messages(std::vector<Message>& prompt, std::vector<Message>& chosen, std::vector<Message>& rejected) {
  std::size_t shared = 0;
  while (shared + 1 < chosen.size() && shared + 1 < rejected.size() && chosen[shared] == rejected[shared]) ++shared;
  const auto count = static_cast<std::ptrdiff_t>(shared);
  prompt.assign(chosen.begin(), chosen.begin() + count);
  chosen.erase(chosen.begin(), chosen.begin() + count);
  rejected.erase(rejected.begin(), rejected.begin() + count);
}

// A whole conversation as an answer carries its own prompt.
bool begins_with_prompt(const TextOrMessages& answer) {
  const auto* messages = std::get_if<std::vector<Message>>(&answer);
  return messages != nullptr && messages->size() > 1 &&
         (messages->front().role == "user" || messages->front().role == "system");
}

Preference join(TextOrMessages prompt, TextOrMessages chosen, TextOrMessages rejected, Json tools) {
  if (begins_with_prompt(chosen) && begins_with_prompt(rejected)) prompt = std::vector<Message>();
  // Each may make messages of the other, so the first is looked at again.
  fit_together(prompt, chosen);
  fit_together(prompt, rejected);
  fit_together(prompt, chosen);
  if (auto* text = std::get_if<std::string>(&prompt)) {
    if (text->empty()) split_shared_text(*text, std::get<std::string>(chosen), std::get<std::string>(rejected));
  } else if (auto& messages = std::get<std::vector<Message>>(prompt); messages.empty()) {
    split_shared_messages(messages, std::get<std::vector<Message>>(chosen), std::get<std::vector<Message>>(rejected));
  }
  return Preference{std::move(prompt), std::move(chosen), std::move(rejected), std::move(tools)};
}

RowContent read(const RowFields& fields) {
  Json tools = fields.has("tools") ? read_tools(fields.value("tools")) : Json();
  return join(read_prompt(fields), read_text_or_messages(fields, "chosen"), read_text_or_messages(fields, "rejected"),
              std::move(tools));
}

RowContent read_openai(const RowFields& fields) {
  const Json input = fields.structure("input");
  const auto messages = input.find("messages");
  if (messages == input.end()) throw BadRow("the input has no messages");
  const auto tools = input.find("tools");
  return join(read_messages(*messages, fields.message_keys()),
              read_messages(fields.value("chosen"), fields.message_keys()),
              read_messages(fields.value("rejected"), fields.message_keys()),
              tools == input.end() ? Json() : read_tools(*tools));
}

}  // namespace

const Format& preference_format() {
  static const Format kFormat = {"preference",
                                 "a chosen and a rejected answer to one prompt",
                                 {{"chosen", {"chosen"}, Holds::kTextOrMessages},
                                  {"rejected", {"rejected"}, Holds::kTextOrMessages},
                                  {"messages", {"messages", "conversations", "conversation"}, Holds::kList, false},
                                  {"prompt", {"prompt"}, Holds::kTextOrMessages, false},
                                  {"instruction", {"instruction", "question", "query"}, Holds::kText, false},
                                  {"input", {"input"}, Holds::kText, false},
                                  {"system", {"system"}, Holds::kText, false},
                                  {"tools", {"tools"}, Holds::kAnything, false}},
                                 &read};
  return kFormat;
}

const Format& openai_preference_format() {
  static const Format kFormat = {"openai_preference",
                                 "a preferred and a non-preferred output to one input",
                                 {{"input", {"input"}, Holds::kObject},
                                  {"chosen", {"preferred_output"}, Holds::kMessages},
                                  {"rejected", {"non_preferred_output"}, Holds::kMessages}},
                                 &read_openai};
  return kFormat;
}

}  // namespace anneal::datasets
