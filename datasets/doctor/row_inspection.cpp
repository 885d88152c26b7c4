#include "datasets/doctor/row_inspection.h"

#include <algorithm>

#include "datasets/encoding/think_markup.h"
#include "kernels/core/error.h"

namespace anneal::datasets {
namespace {

bool is_blank(std::string_view text) { return text.find_first_not_of(" \t\r\n") == std::string_view::npos; }
bool has_text(const Message& message) { return message.content && !is_blank(*message.content); }

class Inspection {
 public:
  explicit Inspection(const Row& row) : row_(row) {}

  void operator()(const Conversation& conversation) {
    inspect_turns(conversation.messages);
    const bool has_answer = std::any_of(conversation.messages.begin(), conversation.messages.end(),
                                        [](const Message& one) { return one.role == "assistant"; });
    if (!has_answer) add(FindingKind::kNoTarget, "has no assistant turn to learn from");
  }
  void operator()(const PromptCompletion& texts) {
    if (is_blank(texts.completion))
      add(FindingKind::kEmptyAnswer, "the completion is empty; it teaches to end at once");
    if (texts.prompt.empty()) add(FindingKind::kEmptyText, "the prompt is empty");
  }
  void operator()(const Document& document) {
    if (is_blank(document.text)) add(FindingKind::kEmptyText, "the text is empty");
  }
  void operator()(const TokenRow& tokens) {
    const bool has_label =
        std::any_of(tokens.labels.begin(), tokens.labels.end(), [](int32_t id) { return id != kNoLabel; });
    if (!has_label) add(FindingKind::kNoTarget, "has no label to learn from");
  }
  void operator()(const Preference& pair) {
    inspect_part(pair.prompt, "the prompt");
    inspect_answer(pair.chosen, "the chosen answer");
    inspect_answer(pair.rejected, "the rejected answer");
    if (pair.chosen == pair.rejected) add(FindingKind::kIdenticalPair, "its chosen and rejected answers are the same");
  }
  void operator()(const Kto& judged) {
    inspect_part(judged.prompt, "the prompt");
    inspect_answer(judged.completion, "the answer");
  }
  void operator()(const Classification& labelled) {
    if (is_blank(labelled.text)) add(FindingKind::kEmptyText, "the text is empty");
    if (labelled.labels.empty()) add(FindingKind::kEmptyAnswer, "there is no label");
  }
  std::vector<Finding> take() { return std::move(findings_); }

 private:
  void add(FindingKind kind, std::string message) {
    findings_.push_back(Finding{row_.source, kind, std::move(message)});
  }

  void inspect_turns(const std::vector<Message>& messages) {
    for (std::size_t i = 0; i < messages.size(); ++i) {
      inspect_turn(messages[i], fmt::format("message {}", i + 1));
      const bool repeats = i > 0 && messages[i].role == messages[i - 1].role && messages[i].role != "tool";
      if (repeats) {
        add(FindingKind::kConsecutiveTurns,
            fmt::format("messages {} and {} are both by {}", i, i + 1, printable(messages[i].role)));
      }
    }
  }
  void inspect_turn(const Message& message, const std::string& name) {
    const bool is_answer = message.role == "assistant";
    if (!has_text(message) && message.tool_calls.is_null()) {
      if (is_answer) add(FindingKind::kEmptyAnswer, name + " is an empty answer; it teaches to end at once");
      if (!is_answer && message.role != "system") {
        add(FindingKind::kEmptyText, fmt::format("{} by {} is empty", name, printable(message.role)));
      }
    }
    if (has_think_markup(message)) {
      Message moved = message;
      add(FindingKind::kThinkMarkup, move_think_markup(moved)
                                         ? name + " holds think markup, which can be moved to its reasoning"
                                         : name + " holds think markup that has no clear end or a text in front");
    }
  }
  void inspect_part(const TextOrMessages& part, const std::string& name) {
    if (const auto* messages = std::get_if<std::vector<Message>>(&part)) return inspect_turns(*messages);
    if (std::get<std::string>(part).empty()) add(FindingKind::kEmptyText, name + " is empty");
  }
  void inspect_answer(const TextOrMessages& part, const std::string& name) {
    if (const auto* messages = std::get_if<std::vector<Message>>(&part)) return inspect_turns(*messages);
    if (is_blank(std::get<std::string>(part))) add(FindingKind::kEmptyAnswer, name + " is empty");
  }

  const Row& row_;
  std::vector<Finding> findings_;
};

// Calls `look` with every text of the row.
template <class Look>
class TextVisitor {
 public:
  explicit TextVisitor(Look look) : look_(look) {}
  void operator()(const Conversation& conversation) { visit(conversation.messages); }
  void operator()(const PromptCompletion& texts) {
    look_(texts.prompt, false);
    look_(texts.completion, true);
  }
  void operator()(const Document& document) { look_(document.text, true); }
  void operator()(const TokenRow&) {}
  void operator()(const Preference& pair) {
    visit(pair.prompt, false);
    visit(pair.chosen, true);
    visit(pair.rejected, true);
  }
  void operator()(const Kto& judged) {
    visit(judged.prompt, false);
    visit(judged.completion, true);
  }
  void operator()(const Classification& labelled) { look_(labelled.text, false); }

 private:
  void visit(const std::vector<Message>& messages) {
    for (const Message& message : messages) {
      if (message.content) look_(*message.content, false);
    }
  }
  void visit(const TextOrMessages& part, bool is_answer) {
    if (const auto* messages = std::get_if<std::vector<Message>>(&part)) return visit(*messages);
    look_(std::get<std::string>(part), is_answer);
  }
  Look look_;
};

}  // namespace

std::vector<Finding> inspect_row(const Row& row) {
  Inspection inspection(row);
  std::visit(inspection, row.content);
  return inspection.take();
}

ControlTexts::ControlTexts(const Tokenizer& tokenizer) {
  const auto size = static_cast<Token>(tokenizer.vocabulary_size());
  for (Token id = 0; id < size; ++id) {
    if (!tokenizer.is_special(id)) continue;
    std::optional<std::string> text = tokenizer.token_text(id);
    if (text && text->size() > 1) texts_.push_back(*std::move(text));
  }
  if (const std::optional<Token> end = tokenizer.eos()) end_text_ = tokenizer.token_text(*end).value_or("");
}

std::string_view ControlTexts::first_in(std::string_view text) const {
  for (const std::string& control : texts_) {
    if (text.find(control) != std::string_view::npos) return control;
  }
  return {};
}

std::vector<Finding> ControlTexts::find_in(const Row& row) const {
  std::string_view found;
  const auto look = [&](std::string_view text, bool may_end) {
    if (!found.empty()) return;
    if (may_end && !end_text_.empty() && text.ends_with(end_text_)) text.remove_suffix(end_text_.size());
    found = first_in(text);
  };
  std::visit(TextVisitor(look), row.content);
  if (found.empty()) return {};
  return {
      Finding{row.source, FindingKind::kControlText,
              fmt::format("its text holds {}, which stays ordinary text and is no control token", printable(found))}};
}

}  // namespace anneal::datasets
