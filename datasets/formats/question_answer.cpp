// {"question", "answer"} and its kin: becomes a user turn and an assistant turn.

#include "datasets/formats/format_list.h"
#include "datasets/formats/messages.h"

namespace anneal::datasets {
namespace {

RowContent read(const RowFields& fields) {
  Conversation conversation;
  put_system_first(conversation.messages, fields.text_or_empty("system"));
  conversation.messages.push_back(plain_message("user", fields.text("question")));
  conversation.messages.push_back(plain_message("assistant", fields.text("answer")));
  return conversation;
}

}  // namespace

const Format& question_answer_format() {
  static const Format kFormat = {"question_answer",
                                 "a question and its answer",
                                 {{"question", {"question", "query", "prompt", "input"}},
                                  {"answer", {"answer", "response", "output"}},
                                  {"system", {"system"}, Holds::kText, false}},
                                 &read};
  return kFormat;
}

}  // namespace anneal::datasets
