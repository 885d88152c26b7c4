// Conversations: {"messages": [{"role", "content"}]} as OpenAI and Hugging Face write them, and ShareGPT's
// {"conversations": [{"from", "value"}]}. Both may come with tools and a system text.

#include "datasets/formats/format_list.h"
#include "datasets/formats/messages.h"

namespace anneal::datasets {
namespace {

RowContent read(const RowFields& fields) {
  Conversation conversation;
  conversation.messages = read_messages(fields.value("messages"), fields.message_keys());
  put_system_first(conversation.messages, fields.text_or_empty("system"));
  if (fields.has("tools")) conversation.tools = read_tools(fields.value("tools"));
  conversation.variables = read_variables(fields);
  return conversation;
}

}  // namespace

const Format& openai_format() {
  static const Format kFormat = {"openai",
                                 "messages with role and content",
                                 {{"messages", {"messages", "conversations", "conversation"}, Holds::kMessages},
                                  {"system", {"system"}, Holds::kText, false},
                                  {"tools", {"tools", "functions"}, Holds::kAnything, false}},
                                 &read};
  return kFormat;
}

const Format& sharegpt_format() {
  static const Format kFormat = {"sharegpt",
                                 "turns with from and value",
                                 {{"messages", {"conversations", "conversation", "messages"}, Holds::kTurns},
                                  {"system", {"system"}, Holds::kText, false},
                                  {"tools", {"tools"}, Holds::kAnything, false}},
                                 &read};
  return kFormat;
}

}  // namespace anneal::datasets
