#pragma once
// Messages as files write them: {"role","content"} with tool calls (OpenAI, Hugging Face) or {"from","value"}
// (ShareGPT).

#include <string>
#include <vector>

#include "datasets/conversation.h"
#include "datasets/formats/format.h"
#include "kernels/core/json.h"

namespace anneal::datasets {

// All throw BadRow with the number of the message, from 1.
std::vector<Message> read_messages(const Json& list, const MessageKeys& keys = {});

// null, or a list of tools in the form {"type":"function","function":{…}}; bare function descriptions are wrapped.
// Takes a list, or a text that holds one; an empty list or text counts as none.
Json read_tools(const Json& value);

// A text, or messages: a list, or a single one.
TextOrMessages read_text_or_messages(const RowFields& fields, std::string_view role);

// A text becomes one message of this role; no message if it is an empty prompt.
std::vector<Message> as_messages(TextOrMessages part, const char* role);

Message plain_message(std::string role, std::string content);

// A system text in front, unless it is empty or the messages have one already.
void put_system_first(std::vector<Message>& messages, const std::string& system);

// Members of the row that templates read: "documents", and all of "chat_template_kwargs".
Json read_variables(const RowFields& fields);

}  // namespace anneal::datasets
