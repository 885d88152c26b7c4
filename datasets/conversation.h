#pragma once
// What one row of a data set can be, once its file's form is forgotten: a conversation, a prompt with its completion, a
// document, ready-made tokens, a preference pair, a judged answer, a classified text. Plain values: a row owns all it
// holds. Written by datasets/formats, read by datasets/encoding, datasets/doctor and the training methods.

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "kernels/core/json.h"

namespace anneal::datasets {

// Where a row came from, for sentences about it.
struct Source {
  std::string file;
  int64_t line = 0;  // of the file, from 1, where the row begins
  int64_t row = 0;   // over all files that were given, from 1; a bad row has its number too
  friend bool operator==(const Source&, const Source&) = default;
};

// "data.jsonl:7 (row 6)"
std::string describe(const Source& source);

struct Message {
  std::string role;                    // "system", "user", "assistant", "tool"; other roles stay as the file says
  std::optional<std::string> content;  // empty optional: null in the file, as beside tool calls. "" is a text
  std::optional<std::string> name;
  // null, or a list in the form that chat templates expect: [{"type":"function","function":{"name","arguments"},"id"?}]
  // with `arguments` an object wherever the file's text could be read as one.
  Json tool_calls;
  std::optional<std::string> tool_call_id;
  std::optional<std::string> reasoning;  // "reasoning_content" for templates
  std::optional<bool> learn;             // the file's `weight`: false is never learned. Unset: as `train_on` says
  Json extra = Json::object();           // any other member of the message; a template may read it
  friend bool operator==(const Message&, const Message&) = default;
};

// The message as templates see it: role, content (null stays null), name, tool_calls, tool_call_id, reasoning_content,
// then the members of `extra`. What a message lacks is left out, but for role and content.
Json to_json(const Message& message);
Json to_json(const std::vector<Message>& messages);

struct Conversation {
  std::vector<Message> messages;
  Json tools;                       // null, or a list of tools in JSON-schema form
  Json variables = Json::object();  // more for the template: "documents", the members of "chat_template_kwargs"
  friend bool operator==(const Conversation&, const Conversation&) = default;
};

// Exact text: completion follows prompt with nothing between; only the completion is learned.
struct PromptCompletion {
  std::string prompt;
  std::string completion;
  friend bool operator==(const PromptCompletion&, const PromptCompletion&) = default;
};

// A text that is learned as a whole.
struct Document {
  std::string text;
  friend bool operator==(const Document&, const Document&) = default;
};

// labels[j] is the id to be predicted at position j from the positions before it; kNoLabel: nothing is learned there.
// Both lists have the same length.
inline constexpr int32_t kNoLabel = -100;
struct TokenRow {
  std::vector<int32_t> ids;
  std::vector<int32_t> labels;
  friend bool operator==(const TokenRow&, const TokenRow&) = default;
};

// Exact text, or messages that go through the chat template.
using TextOrMessages = std::variant<std::string, std::vector<Message>>;

// Two answers to one prompt. The three parts hold the same alternative; messages of the answers follow the prompt's.
struct Preference {
  TextOrMessages prompt;
  TextOrMessages chosen;
  TextOrMessages rejected;
  Json tools;
  friend bool operator==(const Preference&, const Preference&) = default;
};

// One answer and whether it is wanted.
struct Kto {
  TextOrMessages prompt;
  TextOrMessages completion;
  bool is_desirable = true;
  Json tools;
  friend bool operator==(const Kto&, const Kto&) = default;
};

struct Classification {
  std::string text;
  std::vector<std::string> labels;  // one, or several where the file's label is a list; numbers as their text
  friend bool operator==(const Classification&, const Classification&) = default;
};

using RowContent = std::variant<Conversation, PromptCompletion, Document, TokenRow, Preference, Kto, Classification>;

struct Row {
  Source source;
  RowContent content;
  friend bool operator==(const Row&, const Row&) = default;
};

}  // namespace anneal::datasets
