#include "datasets/encoding/row_encoder.h"

#include <algorithm>

#include "datasets/encoding/learned_tokens.h"
#include "datasets/encoding/shipped_templates.h"
#include "datasets/encoding/think_markup.h"
#include "kernels/core/error.h"
#include "kernels/core/sha256.h"

namespace anneal::datasets {
namespace {

// Raised whenever the same row would give other tokens than before with the same parts and options.
constexpr std::string_view kEncodingVersion = "2";

void refuse_other_methods(const Row& row) {
  const bool is_pair = std::holds_alternative<Preference>(row.content);
  if (!is_pair && !std::holds_alternative<Kto>(row.content)) return;
  throw input_error("{}: {} are not learned from as they are. Choose a method that learns from them.",
                    printable(row.source.file, 400), is_pair ? "pairs of answers" : "judged answers");
}

// Some templates write no end behind the last answer: nothing would teach the model to stop.
bool ends_in_answer(const ConversationRendering& rendering) {
  const auto reaches_the_end = [&](const std::vector<Span>& spans) {
    return !spans.empty() && spans.back().end == rendering.text.size();
  };
  return reaches_the_end(rendering.learn) && reaches_the_end(rendering.from_data);
}

// A finding's message ends without a full stop.
std::string message_of(const Error& error) {
  std::string message = error.what();
  if (message.ends_with('.')) message.pop_back();
  return message;
}

void append(EncodedRow& row, const std::vector<Token>& ids, bool is_learned) {
  row.ids.insert(row.ids.end(), ids.begin(), ids.end());
  if (is_learned) {
    row.labels.insert(row.labels.end(), ids.begin(), ids.end());
  } else {
    row.labels.resize(row.ids.size(), kNoLabel);
  }
}

}  // namespace

RowEncoder::RowEncoder(Parts parts, EncodingOptions options)
    : parts_(std::move(parts)), options_(std::move(options)), continuation_(parts_.tokenizer) {
  ensure(options_.max_sequence_length >= 1, "max_sequence_length below one token");
  if (const std::optional<Token> end = parts_.tokenizer.eos()) {
    end_text_ = parts_.tokenizer.token_text(*end).value_or("");
  }
  if (!parts_.chat_template) {
    parts_.chat_template = shipped_template(kPlainTemplate);
    uses_plain_form_ = true;
    if (!parts_.special_tokens.contains("eos_token") && !end_text_.empty())
      parts_.special_tokens["eos_token"] = end_text_;
  }
}

bool RowEncoder::may_learn(const Message& message) const {
  if (options_.empty_answers == EmptyAnswers::kSkip && is_empty_answer(message)) return false;
  return message.learn.value_or(true);
}

// Whether there is any turn to learn from, whatever the template makes of it.
bool RowEncoder::has_wanted_turn(const std::vector<Message>& messages) const {
  if (options_.train_on == TrainOn::kEverything) return !messages.empty();
  return std::any_of(messages.begin(), messages.end(),
                     [&](const Message& message) { return message.role == "assistant" && may_learn(message); });
}

std::string_view RowEncoder::without_end_text(std::string_view text) const {
  if (!end_text_.empty() && text.ends_with(end_text_)) text.remove_suffix(end_text_.size());
  return text;
}

void RowEncoder::put_begin(EncodedRow& row) const {
  const std::optional<Token> begin = parts_.tokenizer.bos();
  if (parts_.tokenizer.adds_bos() && begin && (row.ids.empty() || row.ids.front() != *begin)) {
    row.ids.insert(row.ids.begin(), *begin);
    row.labels.insert(row.labels.begin(), kNoLabel);
  }
  if (!row.labels.empty()) row.labels.front() = kNoLabel;
}

EncodedRow RowEncoder::encode_texts(std::string_view prompt, std::string_view completion, bool learn_prompt) const {
  const std::string_view rest = without_end_text(completion);
  EncodedRow row;
  append(row, continuation_.encode_start(prompt), learn_prompt);
  append(row, prompt.empty() ? continuation_.encode_start(rest) : continuation_.encode_rest(rest), true);
  if (const std::optional<Token> end = parts_.tokenizer.eos()) append(row, {*end}, true);
  put_begin(row);
  return row;
}

EncodedRow RowEncoder::encode_conversation(const Conversation& conversation) const {
  std::vector<Message> mended;
  const std::vector<Message>* messages = &conversation.messages;
  const bool merges = options_.consecutive_turns == ConsecutiveTurns::kMerge;
  if (options_.move_think_markup || merges) {
    mended = conversation.messages;
    if (options_.move_think_markup) {
      for (Message& message : mended) move_think_markup(message);
    }
    if (merges) merge_consecutive_turns(mended);
    messages = &mended;
  }
  const Json list = to_json(*messages);
  ConversationInput input{list, conversation.tools, conversation.variables, parts_.special_tokens};
  for (const Message& message : *messages) input.may_learn.push_back(may_learn(message));
  const bool has_tools = !conversation.tools.is_null() && parts_.tool_template.has_value();
  const ChatTemplate& chosen = has_tools ? *parts_.tool_template : *parts_.chat_template;
  const ConversationRendering rendering = render_conversation(chosen, input, options_.train_on, options_.rendering);
  Encoding encoding = encode_rendered(parts_.tokenizer, rendering.text, rendering.from_data);
  EncodedRow row;
  row.labels = labels_of(encoding, rendering.text, rendering.learn);
  row.ids = std::move(encoding.ids);
  const std::optional<Token> end = parts_.tokenizer.eos();
  if (end && ends_in_answer(rendering)) append(row, {*end}, true);
  return row;
}

EncodedRow RowEncoder::encode_classification(const Classification& row) const {
  Conversation conversation;
  conversation.messages.resize(2);
  conversation.messages[0].role = "user";
  conversation.messages[0].content = row.text;
  conversation.messages[1].role = "assistant";
  conversation.messages[1].content = fmt::format("{}", fmt::join(row.labels, ", "));
  return encode_conversation(conversation);
}

EncodedRow RowEncoder::encode_whole(const Row& row) const {
  if (const auto* conversation = std::get_if<Conversation>(&row.content)) return encode_conversation(*conversation);
  if (const auto* texts = std::get_if<PromptCompletion>(&row.content)) {
    return encode_texts(texts->prompt, texts->completion, options_.train_on == TrainOn::kEverything);
  }
  if (const auto* document = std::get_if<Document>(&row.content)) return encode_texts("", document->text, true);
  if (const auto* labelled = std::get_if<Classification>(&row.content)) return encode_classification(*labelled);
  if (const auto* tokens = std::get_if<TokenRow>(&row.content)) {
    EncodedRow encoded{tokens->ids, tokens->labels};
    if (!encoded.labels.empty()) encoded.labels.front() = kNoLabel;
    return encoded;
  }
  refuse_other_methods(row);
  throw InternalError("internal fault: a kind of row that is not encoded");
}

// What the person wants to be done about turns of one speaker in a row, and about answers without text.
std::optional<Finding> RowEncoder::check_turns(const Row& row) const {
  if (const auto* texts = std::get_if<PromptCompletion>(&row.content)) {
    const bool is_blank = texts->completion.find_first_not_of(" \t\r\n") == std::string::npos;
    if (!is_blank || options_.empty_answers == EmptyAnswers::kLearn) return std::nullopt;
    return Finding{row.source, FindingKind::kEmptyAnswer, "the completion is empty; it is left out"};
  }
  const auto* conversation = std::get_if<Conversation>(&row.content);
  if (conversation == nullptr) return std::nullopt;
  if (!has_wanted_turn(conversation->messages)) {
    return Finding{row.source, FindingKind::kNoTarget, "has no assistant turn to learn from"};
  }
  const bool skips = options_.consecutive_turns == ConsecutiveTurns::kSkip;
  if (!skips && options_.consecutive_turns != ConsecutiveTurns::kStop) return std::nullopt;
  const std::optional<std::string> repeated = consecutive_turns(conversation->messages);
  if (!repeated) return std::nullopt;
  if (skips) return Finding{row.source, FindingKind::kConsecutiveTurns, *repeated + "; the row is left out"};
  throw input_error("{}: {}. Correct it, or choose consecutive_turns=merge, skip or keep.", describe(row.source),
                    *repeated);
}

std::optional<Finding> RowEncoder::check_tokens(const Row& row) const {
  const auto* tokens = std::get_if<TokenRow>(&row.content);
  if (tokens == nullptr) return std::nullopt;
  const int64_t known = options_.vocabulary_size.value_or(parts_.tokenizer.vocabulary_size());
  for (const std::vector<int32_t>* list : {&tokens->ids, &tokens->labels}) {
    const auto beyond = std::find_if(list->begin(), list->end(), [&](int32_t id) { return id >= known; });
    if (beyond == list->end()) continue;
    return Finding{row.source, FindingKind::kBadRow,
                   fmt::format("token id {} is beyond the model's vocabulary of {}", *beyond, known)};
  }
  return std::nullopt;
}

void RowEncoder::note_taken_end(const Row& row, std::vector<Finding>& findings) const {
  std::string_view text;
  if (const auto* texts = std::get_if<PromptCompletion>(&row.content)) text = texts->completion;
  if (const auto* document = std::get_if<Document>(&row.content)) text = document->text;
  if (without_end_text(text).size() == text.size()) return;
  findings.push_back(Finding{row.source, FindingKind::kEndTextTaken,
                             fmt::format("ends in {}, which is taken as the end token", printable(end_text_))});
}

EncodedRows RowEncoder::encode(const Row& row) const {
  refuse_other_methods(row);
  // Its own sentence, and not one of the template's refusing row after row.
  if (!parts_.tokenizer.reads_text() && !std::holds_alternative<TokenRow>(row.content)) parts_.tokenizer.encode("");
  EncodedRows result;
  const auto leave_out = [&](FindingKind kind, std::string message) {
    result.findings.push_back(Finding{row.source, kind, std::move(message)});
    return std::move(result);
  };
  if (std::optional<Finding> problem = check_tokens(row)) return leave_out(problem->kind, std::move(problem->message));
  if (std::optional<Finding> problem = check_turns(row)) return leave_out(problem->kind, std::move(problem->message));
  EncodedRow whole;
  try {
    whole = encode_whole(row);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kInput) throw;
    return leave_out(FindingKind::kTemplateRefused, message_of(error));
  }
  result.full_length = whole.size();
  note_taken_end(row, result.findings);
  const int64_t limit = options_.max_sequence_length;
  if (std::holds_alternative<Document>(row.content)) {
    result.rows = split_into(std::move(whole), limit);
    std::erase_if(result.rows, [](const EncodedRow& piece) { return piece.label_count() == 0; });
    return result.rows.empty() ? leave_out(FindingKind::kNoTarget, "has no text to learn from") : std::move(result);
  }
  if (whole.label_count() == 0) return leave_out(FindingKind::kNoTarget, "has nothing to learn from");
  std::optional<EncodedRow> fitted = fit_into(std::move(whole), limit, options_.too_long, parts_.tokenizer.bos());
  const std::string length = fmt::format("is {} tokens long, the limit is {}", result.full_length, limit);
  if (!fitted || fitted->label_count() == 0) return leave_out(FindingKind::kTooLong, length);
  if (fitted->cut == Cut::kPromptTrimmed) {
    result.findings.push_back(Finding{row.source, FindingKind::kPromptTrimmed, length + "; the beginning is cut off"});
  } else if (fitted->cut == Cut::kAnswerCut) {
    result.findings.push_back(Finding{row.source, FindingKind::kAnswerCut, length + "; the answer's end is cut off"});
  }
  result.rows.push_back(*std::move(fitted));
  return result;
}

EncodedRow RowEncoder::encode_answer(const TextOrMessages& prompt, const TextOrMessages& answer,
                                     const Json& tools) const {
  if (const auto* text = std::get_if<std::string>(&prompt)) {
    return encode_texts(*text, std::get<std::string>(answer), false);
  }
  Conversation conversation;
  conversation.messages = std::get<std::vector<Message>>(prompt);
  for (Message& message : conversation.messages) message.learn = false;
  const auto& rest = std::get<std::vector<Message>>(answer);
  conversation.messages.insert(conversation.messages.end(), rest.begin(), rest.end());
  conversation.tools = tools;
  return encode_conversation(conversation);
}

std::optional<EncodedPair> RowEncoder::encode_pair(const Row& row, std::vector<Finding>& findings) const {
  const auto leave_out = [&](FindingKind kind, std::string message) {
    findings.push_back(Finding{row.source, kind, std::move(message)});
    return std::nullopt;
  };
  const auto& preference = std::get<Preference>(row.content);
  if (preference.chosen == preference.rejected) {
    return leave_out(FindingKind::kIdenticalPair, "its chosen and rejected answers are the same");
  }
  EncodedPair pair;
  try {
    pair.chosen = encode_answer(preference.prompt, preference.chosen, preference.tools);
    pair.rejected = encode_answer(preference.prompt, preference.rejected, preference.tools);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kInput) throw;
    return leave_out(FindingKind::kTemplateRefused, message_of(error));
  }
  const int64_t longest = std::max(pair.chosen.size(), pair.rejected.size());
  for (EncodedRow* side : {&pair.chosen, &pair.rejected}) {
    if (side->label_count() == 0) return leave_out(FindingKind::kNoTarget, "an answer has nothing to learn from");
    // Both lose the same from their prompt, so that it stays one prompt.
    const int64_t limit = options_.too_long == TooLong::kTrimPrompt && longest > options_.max_sequence_length
                              ? side->size() - (longest - options_.max_sequence_length)
                              : options_.max_sequence_length;
    std::optional<EncodedRow> fitted;
    if (limit >= 1) fitted = fit_into(std::move(*side), limit, options_.too_long, parts_.tokenizer.bos());
    if (!fitted || fitted->label_count() == 0) {
      return leave_out(FindingKind::kTooLong, fmt::format("its longer answer ends at token {}, the limit is {}",
                                                          longest, options_.max_sequence_length));
    }
    if (fitted->cut == Cut::kPromptTrimmed && side == &pair.chosen) {
      findings.push_back(Finding{row.source, FindingKind::kPromptTrimmed, "the beginning of its prompt is cut off"});
    } else if (fitted->cut == Cut::kAnswerCut) {
      findings.push_back(Finding{row.source, FindingKind::kAnswerCut, "the end of an answer is cut off"});
    }
    *side = *std::move(fitted);
  }
  return pair;
}

std::string RowEncoder::content_key() const {
  Sha256 hash;
  const auto add = [&](std::string_view part) {
    hash.add(fmt::format("{}:", part.size()));
    hash.add(part);
  };
  add(kEncodingVersion);
  add(parts_.tokenizer.content_hash());
  add(parts_.chat_template->source());
  add(parts_.tool_template ? parts_.tool_template->source() : "");
  add(to_text(parts_.special_tokens));
  add(fmt::format("{} {} {} {} {} {} {}", static_cast<int>(options_.train_on), static_cast<int>(options_.too_long),
                  options_.max_sequence_length, options_.vocabulary_size.value_or(parts_.tokenizer.vocabulary_size()),
                  options_.move_think_markup, static_cast<int>(options_.consecutive_turns),
                  static_cast<int>(options_.empty_answers)));
  // A template that prints the date gives other text on another day.
  const bool reads_clock = parts_.chat_template->reads("strftime_now") ||
                           (parts_.tool_template && parts_.tool_template->reads("strftime_now"));
  if (reads_clock && options_.rendering.now) {
    add(std::to_string(options_.rendering.now->time_since_epoch().count()));
  }
  return hash.hex();
}

}  // namespace anneal::datasets
