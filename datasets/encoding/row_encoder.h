#pragma once
// From rows to tokens with labels.
//
//   conversation        the chat template's text; learned: the wanted assistant turns through their end token; where
//   the
//                       template writes nothing behind the last answer, one end token is put there
//   prompt, completion  exact texts, tokenised apart so that the seam is exact; learned: the completion, one end token
//   document            the whole text and one end token at its end; longer than the limit: consecutive rows
//   classification      the text as the person's turn, its labels as the answer
//   tokens              as they are
// A begin token stands in front iff the tokenizer wants one and the ids do not begin with it. The end token is never
// put where a text was cut. Control tokens that the data spells out stay ordinary text, but for an end token's text at
// the very end of a completion or document: that is the end token.
//
// A RowEncoder never changes after it was made: any number of threads may encode with one.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "datasets/conversation.h"
#include "datasets/encoding/continuation.h"
#include "datasets/encoding/encoded_row.h"
#include "datasets/encoding/length_limit.h"
#include "datasets/encoding/turn_repairs.h"
#include "datasets/formats/finding.h"
#include "datasets/templates/chat_template.h"
#include "datasets/templates/conversation_rendering.h"
#include "datasets/tokenizers/tokenizer.h"
#include "kernels/core/json.h"

namespace anneal::datasets {

struct EncodingOptions {
  TrainOn train_on = TrainOn::kAnswers;
  TooLong too_long = TooLong::kSkip;
  int64_t max_sequence_length = 2048;
  // Rows of the model's embedding table: ready-made tokens beyond it are refused. Unset: the tokenizer's vocabulary.
  std::optional<int64_t> vocabulary_size = {};
  // Think markup inside answers is moved to the message's reasoning before rendering.
  bool move_think_markup = false;
  ConsecutiveTurns consecutive_turns = ConsecutiveTurns::kKeep;
  EmptyAnswers empty_answers = EmptyAnswers::kLearn;
  RenderOptions rendering = {};
};

struct EncodedRows {
  std::vector<EncodedRow> rows;   // none: left out, and a finding says why; several: a long document
  std::vector<Finding> findings;  // no_target, too_long, prompt_trimmed, answer_cut, end_text_taken, template_refused
  int64_t full_length = 0;        // in tokens, before any cut
};

struct EncodedPair {
  EncodedRow chosen;
  EncodedRow rejected;
};

class RowEncoder {
 public:
  struct Parts {
    const Tokenizer& tokenizer;
    std::optional<ChatTemplate> chat_template = {};  // unset: the plain form
    std::optional<ChatTemplate> tool_template = {};  // for conversations with tools; unset: the same
    Json special_tokens = Json::object();            // texts for the template: bos_token, eos_token, …
  };
  // The tokenizer must outlive the encoder.
  RowEncoder(Parts parts, EncodingOptions options);

  // Throws Error(kInput) for rows of a kind that is learned by another method: preference pairs and judged answers; for
  // texts where the tokenizer knows ids only; and for turns that the person wants to be stopped by.
  EncodedRows encode(const Row& row) const;

  // The whole row without limits: nothing cut, nothing left out. Throws Error(kInput) where the template refuses it.
  EncodedRow encode_whole(const Row& row) const;

  // Both answers after the same prompt, only the answers learned. Empty if the pair is left out: `findings` says why.
  std::optional<EncodedPair> encode_pair(const Row& row, std::vector<Finding>& findings) const;

  // The answer after the prompt, without limits; only the answer is learned. Both hold the same alternative.
  EncodedRow encode_answer(const TextOrMessages& prompt, const TextOrMessages& answer, const Json& tools) const;

  bool uses_plain_form() const { return uses_plain_form_; }
  const ChatTemplate& chat_template() const { return *parts_.chat_template; }
  const EncodingOptions& options() const { return options_; }
  const Tokenizer& tokenizer() const { return parts_.tokenizer; }

  // Changes whenever the same rows could give other tokens. For caches.
  std::string content_key() const;

 private:
  EncodedRow encode_conversation(const Conversation& conversation) const;
  EncodedRow encode_texts(std::string_view prompt, std::string_view completion, bool learn_prompt) const;
  EncodedRow encode_classification(const Classification& row) const;
  bool may_learn(const Message& message) const;
  bool has_wanted_turn(const std::vector<Message>& messages) const;
  std::optional<Finding> check_turns(const Row& row) const;
  void note_taken_end(const Row& row, std::vector<Finding>& findings) const;
  std::string_view without_end_text(std::string_view text) const;
  void put_begin(EncodedRow& row) const;
  std::optional<Finding> check_tokens(const Row& row) const;

  Parts parts_;
  EncodingOptions options_;
  ContinuationEncoder continuation_;
  std::string end_text_;  // empty: the tokenizer has no end token
  bool uses_plain_form_ = false;
};

}  // namespace anneal::datasets
