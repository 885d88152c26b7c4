// One answer and whether it is wanted: {"prompt", "completion", "label": true}, or a conversation with a label for its
// last answer.

#include "datasets/formats/format_list.h"
#include "datasets/formats/messages.h"
#include "datasets/formats/preference.h"

namespace anneal::datasets {
namespace {

Kto read_conversation(const RowFields& fields) {
  std::vector<Message> messages = read_messages(fields.value("messages"), fields.message_keys());
  put_system_first(messages, fields.text_or_empty("system"));
  if (messages.empty() || messages.back().role != "assistant") {
    throw BadRow("the conversation does not end with an answer that could be judged");
  }
  std::vector<Message> answer = {std::move(messages.back())};
  messages.pop_back();
  return Kto{std::move(messages), std::move(answer), true, {}};
}

RowContent read(const RowFields& fields) {
  Kto row;
  if (fields.has("completion")) {
    row.prompt = read_prompt(fields);
    row.completion = read_text_or_messages(fields, "completion");
    fit_together(row.prompt, row.completion);
  } else if (fields.has("messages")) {
    row = read_conversation(fields);
  } else {
    throw BadRow("there is neither a completion nor a conversation");
  }
  row.is_desirable = fields.truth("label");
  if (fields.has("tools")) row.tools = read_tools(fields.value("tools"));
  return row;
}

}  // namespace

const Format& kto_format() {
  static const Format kFormat = {"kto",
                                 "an answer and whether it is wanted",
                                 {{"label", {"label", "kto_tag"}, Holds::kTruth},
                                  {"completion", {"completion"}, Holds::kTextOrMessages, false},
                                  {"messages", {"messages", "conversations", "conversation"}, Holds::kList, false},
                                  {"prompt", {"prompt"}, Holds::kTextOrMessages, false},
                                  {"instruction", {"instruction"}, Holds::kText, false},
                                  {"input", {"input"}, Holds::kText, false},
                                  {"system", {"system"}, Holds::kText, false},
                                  {"tools", {"tools"}, Holds::kAnything, false}},
                                 &read,
                                 {"completion", "messages"}};
  return kFormat;
}

}  // namespace anneal::datasets
