#include "datasets/templates/conversation_rendering.h"

#include <algorithm>
#include <optional>

#include "datasets/templates/answer_spans.h"
#include "datasets/templates/conversation_messages.h"
#include "datasets/templates/jinja/clock_text.h"
#include "datasets/templates/jinja/context_view.h"
#include "kernels/core/error.h"

namespace anneal::datasets {
namespace {

using jinja::ContextView;
using jinja::RenderedParts;

// One conversation, of which prefixes can be rendered.
class Renderer {
 public:
  Renderer(const ChatTemplate& chat_template, const ConversationInput& input, RenderOptions options)
      : chat_template_(chat_template), messages_(prepared_messages(input.messages)), options_(std::move(options)) {
    // All renders of a conversation read the same clock.
    if (!options_.now) options_.now = jinja::wall_time();
    if (input.variables.is_object()) view_.variables.push_back(&input.variables);
    view_.variables.push_back(&defaults());
    if (input.special_tokens.is_object()) view_.special_tokens = &input.special_tokens;
    view_.messages = &messages_;
    view_.tools = &input.tools;
  }

  RenderedParts render(std::size_t count, bool generation_prompt) const {
    ContextView view = view_;
    view.message_count = count;
    view.add_generation_prompt = generation_prompt;
    return chat_template_.render_parts(view, options_);
  }
  // Nothing: the template refuses these messages alone.
  std::optional<RenderedParts> try_render(std::size_t count, bool generation_prompt) const {
    try {
      return render(count, generation_prompt);
    } catch (const Error&) {
      return std::nullopt;
    }
  }

  const ChatTemplate& chat_template() const { return chat_template_; }
  std::size_t size() const { return messages_.size(); }
  bool is_answer(std::size_t message) const { return messages_[message]["role"] == "assistant"; }

 private:
  // Templates may ask for these without "is defined".
  static const Json& defaults() {
    static const Json kDefaults = {{"documents", nullptr}};
    return kDefaults;
  }

  const ChatTemplate& chat_template_;
  Json messages_;
  RenderOptions options_;
  ContextView view_;
};

std::vector<std::size_t> wanted_turns(const Renderer& renderer, const ConversationInput& input, TrainOn train_on) {
  std::vector<std::size_t> turns;
  for (std::size_t i = 0; i < renderer.size(); ++i) {
    if (renderer.is_answer(i)) turns.push_back(i);
  }
  if (train_on == TrainOn::kLastAnswer && turns.size() > 1) turns.erase(turns.begin(), turns.end() - 1);
  std::erase_if(turns, [&](std::size_t turn) { return !input.may_learn.empty() && !input.may_learn[turn]; });
  return turns;
}

Error cannot_tell(const Renderer& renderer, std::size_t turn, std::string_view why) {
  return input_error(
      "message {}: the template {} {}, so what the answer is cannot be told apart. Use a template with "
      "{{% generation %}} blocks, or leave the conversation out.",
      turn + 1, renderer.chat_template().name(), why);
}

// Texts that a generation prompt may be, most likely first: what it adds to the messages before a turn.
class GenerationPrompts {
 public:
  GenerationPrompts(const Renderer& renderer, const RenderedParts& full) : renderer_(renderer), full_(full) {}

  // Where the answer of the turn begins inside what was written for it.
  std::size_t begin_of_answer(std::size_t turn, const Span& written) {
    if (renderer_.chat_template().has_fixed_generation_prompt()) {
      const std::optional<std::string>& prompt = fixed();
      if (prompt && shared_with_prompt(full_, written, *prompt) == prompt->size())
        return written.begin + prompt->size();
    }
    const std::optional<RenderedParts> asked = renderer_.try_render(turn, true);
    if (asked && full_.text.starts_with(asked->text) && asked->text.size() <= written.end) {
      return std::max(written.begin, asked->text.size());
    }
    std::size_t best = 0;
    for (const std::string& prompt : candidates(turn, asked)) {
      const std::size_t shared = shared_with_prompt(full_, written, prompt);
      if (shared == prompt.size() && shared > 0) return written.begin + shared;
      best = std::max(best, shared);
    }
    return written.begin + best;
  }

 private:
  // What the prompt adds after the whole conversation, if it only adds there.
  const std::optional<std::string>& fixed() {
    if (!is_fixed_known_) {
      is_fixed_known_ = true;
      const std::optional<RenderedParts> asked = renderer_.try_render(renderer_.size(), true);
      if (asked && asked->text.starts_with(full_.text)) fixed_ = asked->text.substr(full_.text.size());
    }
    return fixed_;
  }

  std::vector<std::string> candidates(std::size_t turn, const std::optional<RenderedParts>& asked) const {
    std::vector<std::string> prompts;
    if (asked) {
      const std::optional<RenderedParts> unasked = renderer_.try_render(turn, false);
      if (unasked && asked->text.starts_with(unasked->text))
        prompts.push_back(asked->text.substr(unasked->text.size()));
      prompts.push_back(behind_all_turns(*asked));
    }
    if (const auto after_all = renderer_.try_render(renderer_.size(), true)) {
      prompts.push_back(behind_all_turns(*after_all));
    }
    return prompts;
  }
  // What the template wrote behind its loop over the messages.
  static std::string behind_all_turns(const RenderedParts& parts) {
    std::size_t begin = parts.text.size();
    for (auto stretch = parts.stretches.rbegin(); stretch != parts.stretches.rend(); ++stretch) {
      if (stretch->mark.turn != 0) break;
      begin = std::next(stretch) == parts.stretches.rend() ? 0 : std::next(stretch)->end;
    }
    return parts.text.substr(begin);
  }

  const Renderer& renderer_;
  const RenderedParts& full_;
  std::optional<std::string> fixed_;
  bool is_fixed_known_ = false;
};

// For templates whose loop does not tell what belongs to which message: what the turn adds to the text before it.
Span answer_between_prefixes(const Renderer& renderer, const RenderedParts& full, std::size_t turn) {
  const RenderedParts asked = renderer.render(turn, true);
  const RenderedParts answered = renderer.render(turn + 1, false);
  if (!full.text.starts_with(asked.text) || !full.text.starts_with(answered.text) ||
      asked.text.size() > answered.text.size()) {
    throw cannot_tell(renderer, turn, "writes earlier messages anew once later ones follow");
  }
  return {asked.text.size(), answered.text.size()};
}

std::vector<OwnedSpan> written_answers(const Renderer& renderer, const RenderedParts& full,
                                       const std::vector<std::size_t>& turns) {
  GenerationPrompts prompts(renderer, full);
  std::vector<OwnedSpan> learn;
  for (const std::size_t turn : turns) {
    Span answer;
    if (const std::optional<Span> written = written_for(full, turn)) {
      answer = {prompts.begin_of_answer(turn, *written), written->end};
    } else {
      answer = answer_between_prefixes(renderer, full, turn);
    }
    if (holds_other_data(full, answer, turn)) {
      throw cannot_tell(renderer, turn, "mixes the texts of several messages there");
    }
    learn.push_back({without_trailing_space(full, answer), static_cast<int>(turn)});
  }
  return learn;
}

std::vector<OwnedSpan> generated_answers(const Renderer& renderer, const RenderedParts& full,
                                         const std::vector<std::size_t>& turns) {
  std::size_t answers = 0;
  for (std::size_t i = 0; i < renderer.size(); ++i) answers += renderer.is_answer(i) ? 1 : 0;
  std::vector<OwnedSpan> learn;
  for (const OwnedSpan& generated : generated_spans(full)) {
    if (generated.turn < 0) {
      if (turns.size() != answers) {
        throw cannot_tell(renderer, turns.front(), "has generation blocks outside of its loop over the messages");
      }
      learn.push_back(generated);
      continue;
    }
    const auto turn = static_cast<std::size_t>(generated.turn);
    if (!renderer.is_answer(turn) || holds_other_data(full, generated.span, turn)) {
      throw cannot_tell(renderer, turn, "has a text that is no answer in a generation block");
    }
    if (std::find(turns.begin(), turns.end(), turn) != turns.end()) learn.push_back(generated);
  }
  return learn;
}

std::vector<Span> data_spans(const RenderedParts& parts) {
  std::vector<Span> spans;
  std::size_t begin = 0;
  for (const jinja::Stretch& stretch : parts.stretches) {
    if (stretch.mark.origin != jinja::kFromTemplate) {
      if (!spans.empty() && spans.back().end == begin) {
        spans.back().end = stretch.end;
      } else {
        spans.push_back({begin, stretch.end});
      }
    }
    begin = stretch.end;
  }
  return spans;
}

void add_span(std::vector<Span>& spans, const Span& span) {
  if (span.empty()) return;
  if (!spans.empty() && spans.back().end == span.begin) {
    spans.back().end = span.end;
  } else {
    spans.push_back(span);
  }
}

}  // namespace

ConversationRendering render_conversation(const ChatTemplate& chat_template, const ConversationInput& input,
                                          TrainOn train_on, const RenderOptions& options) {
  const Renderer renderer(chat_template, input, options);
  ensure(input.may_learn.empty() || input.may_learn.size() == renderer.size(), "may_learn has another length");
  ConversationRendering rendering;
  if (renderer.size() == 0) return rendering;
  const RenderedParts full = renderer.render(renderer.size(), false);
  rendering.text = full.text;
  rendering.from_data = data_spans(full);
  if (train_on == TrainOn::kEverything) {
    add_span(rendering.learn, {0, full.text.size()});
    rendering.learned_turns = full.text.empty() ? 0 : static_cast<int64_t>(renderer.size());
    return rendering;
  }
  const std::vector<std::size_t> turns = wanted_turns(renderer, input, train_on);
  if (turns.empty()) return rendering;
  std::vector<OwnedSpan> answers = chat_template.has_generation_blocks() ? generated_answers(renderer, full, turns)
                                                                         : written_answers(renderer, full, turns);
  std::sort(answers.begin(), answers.end(),
            [](const OwnedSpan& a, const OwnedSpan& b) { return a.span.begin < b.span.begin; });
  int last_turn = -1;
  for (const OwnedSpan& answer : answers) {
    if (answer.span.empty()) continue;
    add_span(rendering.learn, answer.span);
    if (answer.turn < 0 || answer.turn != last_turn) ++rendering.learned_turns;
    last_turn = answer.turn;
  }
  return rendering;
}

Rendering render_prompt(const ChatTemplate& chat_template, const ConversationInput& input,
                        const RenderOptions& options) {
  const Renderer renderer(chat_template, input, options);
  RenderedParts parts = renderer.render(renderer.size(), true);
  Rendering rendering;
  rendering.from_data = data_spans(parts);
  rendering.has_generation_blocks = chat_template.has_generation_blocks();
  for (const OwnedSpan& generated : generated_spans(parts)) add_span(rendering.generated, generated.span);
  rendering.text = std::move(parts.text);
  return rendering;
}

}  // namespace anneal::datasets
