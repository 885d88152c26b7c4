// {"prompt", "completion"}: exact texts, of which the second is learned. With messages instead of texts it is a
// conversation of which the prompt's messages are not learned.

#include "datasets/formats/format_list.h"
#include "datasets/formats/messages.h"

namespace anneal::datasets {
namespace {

RowContent read(const RowFields& fields) {
  TextOrMessages prompt = read_text_or_messages(fields, "prompt");
  TextOrMessages completion = read_text_or_messages(fields, "completion");
  auto* prompt_text = std::get_if<std::string>(&prompt);
  auto* completion_text = std::get_if<std::string>(&completion);
  if (prompt_text != nullptr && completion_text != nullptr) {
    return PromptCompletion{std::move(*prompt_text), std::move(*completion_text)};
  }
  Conversation conversation;
  conversation.messages = as_messages(std::move(prompt), "user");
  for (Message& message : conversation.messages) message.learn = false;
  for (Message& message : as_messages(std::move(completion), "assistant")) {
    conversation.messages.push_back(std::move(message));
  }
  if (fields.has("tools")) conversation.tools = read_tools(fields.value("tools"));
  conversation.variables = read_variables(fields);
  return conversation;
}

}  // namespace

const Format& prompt_completion_format() {
  static const Format kFormat = {"prompt_completion",
                                 "a prompt and the text that follows it",
                                 {{"prompt", {"prompt"}, Holds::kTextOrMessages},
                                  {"completion", {"completion"}, Holds::kTextOrMessages},
                                  {"tools", {"tools"}, Holds::kAnything, false}},
                                 &read};
  return kFormat;
}

}  // namespace anneal::datasets
