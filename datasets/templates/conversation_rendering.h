#pragma once
// A conversation as training text: the template's rendering, which bytes of it are the data's, and which are learned.
//
// What is learned comes from the rendering itself, never from a search for a marker's text:
//   - templates with {% generation %} blocks: exactly what stands in the blocks of the wanted turns;
//   - all others: of each wanted assistant turn the text that the template wrote for it, less what the generation
//   prompt
//     supplies in its place when the model is asked, through the end-of-turn token. White space that the template puts
//     behind the end-of-turn token is not learned (as in the usual generation blocks); if the turn ends in nothing but
//     white space, that is its end and is learned.
// A turn whose text cannot be told apart for certain is refused with a sentence: no byte of another speaker's is ever
// learned unless everything is asked for.

#include <string>
#include <vector>

#include "datasets/span.h"
#include "datasets/templates/chat_template.h"
#include "kernels/core/json.h"

namespace anneal::datasets {

enum class TrainOn {
  kAnswers,     // every assistant turn
  kLastAnswer,  // the last assistant turn only
  kEverything,  // the whole text
};

struct ConversationInput {
  const Json& messages;              // a list of objects with "role" and "content", as templates expect
  const Json& tools;                 // null, or a list
  const Json& variables;             // null, or an object: documents, enable_thinking, …
  const Json& special_tokens;        // null, or an object: bos_token, eos_token, … (see chat_template_files.h)
  std::vector<bool> may_learn = {};  // one per message; false: never learned. Empty: all may
};

struct ConversationRendering {
  std::string text;
  std::vector<Span> from_data;  // in order and apart, like `learn`
  std::vector<Span> learn;      // bytes whose tokens are learned
  int64_t learned_turns = 0;    // 0: there is nothing to learn from in this row
};

// Tool calls whose arguments are JSON text are given to the template as objects, as it expects them.
// Throws Error(kInput): the template's own refusal, or a turn that cannot be told apart.
ConversationRendering render_conversation(const ChatTemplate& chat_template, const ConversationInput& input,
                                          TrainOn train_on = TrainOn::kAnswers, const RenderOptions& options = {});

// The text that a model is asked with: the conversation so far and the generation prompt.
Rendering render_prompt(const ChatTemplate& chat_template, const ConversationInput& input,
                        const RenderOptions& options = {});

}  // namespace anneal::datasets
