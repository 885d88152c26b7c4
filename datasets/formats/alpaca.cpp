// {"instruction", "input"?, "output", "system"?, "history"?}: becomes a conversation. The input follows the instruction
// on a new line; history is earlier pairs of question and answer.

#include "datasets/formats/format_list.h"
#include "datasets/formats/messages.h"

namespace anneal::datasets {
namespace {

void add_history(const Json& history, std::vector<Message>& messages) {
  if (history.is_null()) return;
  if (!history.is_array()) throw BadRow("the history is no list of pairs");
  for (const Json& pair : history) {
    const bool is_pair = pair.is_array() && pair.size() == 2 && pair[0].is_string() && pair[1].is_string();
    if (!is_pair) throw BadRow("the history is no list of pairs of texts");
    messages.push_back(plain_message("user", pair[0].get<std::string>()));
    messages.push_back(plain_message("assistant", pair[1].get<std::string>()));
  }
}

RowContent read(const RowFields& fields) {
  Conversation conversation;
  add_history(fields.structure("history"), conversation.messages);
  put_system_first(conversation.messages, fields.text_or_empty("system"));
  std::string question = fields.text("instruction");
  const std::string input = fields.text_or_empty("input");
  if (!question.empty() && !input.empty()) question += '\n';
  question += input;
  conversation.messages.push_back(plain_message("user", std::move(question)));
  conversation.messages.push_back(plain_message("assistant", fields.text("output")));
  return conversation;
}

}  // namespace

const Format& alpaca_format() {
  static const Format kFormat = {"alpaca",
                                 "an instruction and its answer",
                                 {{"instruction", {"instruction"}},
                                  {"output", {"output", "response", "answer", "completion"}},
                                  {"input", {"input", "context"}, Holds::kText, false},
                                  {"system", {"system"}, Holds::kText, false},
                                  {"history", {"history"}, Holds::kList, false}},
                                 &read};
  return kFormat;
}

}  // namespace anneal::datasets
