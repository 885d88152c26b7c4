#include "datasets/templates/conversation_rendering.h"

#include <algorithm>

#include "datasets/templates/jinja/origin.h"
#include "kernels/core/error.h"

namespace anneal::datasets {
namespace {

// Arguments that are JSON text, as some programs write them, become the objects that templates expect.
Json with_parsed_arguments(const Json& messages) {
  Json parsed = messages;
  if (!parsed.is_array()) return parsed;
  for (Json& message : parsed) {
    if (!message.is_object() || !message.contains("tool_calls") || !message["tool_calls"].is_array()) continue;
    for (Json& call : message["tool_calls"]) {
      if (!call.is_object()) continue;
      Json& function = call.contains("function") && call["function"].is_object() ? call["function"] : call;
      if (!function.contains("arguments") || !function["arguments"].is_string()) continue;
      try {
        function["arguments"] = parse_json(function["arguments"].get<std::string>(), "arguments");
      } catch (const Error&) {
        // Not JSON: the text itself is what the call said.
      }
    }
  }
  return parsed;
}

Json context_of(const ConversationInput& input, const Json& messages, bool add_generation_prompt) {
  Json context = Json::object();
  for (const Json* part : {&input.special_tokens, &input.variables}) {
    if (!part->is_object()) continue;
    for (const auto& [name, value] : part->items()) context[name] = value;
  }
  context["messages"] = messages;
  if (!input.tools.is_null()) context["tools"] = input.tools;
  context["add_generation_prompt"] = add_generation_prompt;
  return context;
}

void add_span(std::vector<Span>& spans, std::size_t begin, std::size_t end) {
  if (begin >= end) return;
  if (!spans.empty() && spans.back().end == begin) {
    spans.back().end = end;
  } else {
    spans.push_back({begin, end});
  }
}

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

class Learner {
 public:
  Learner(const ChatTemplate& chat_template, const ConversationInput& input, const Json& messages, const RenderOptions& options)
      : template_(chat_template), input_(input), messages_(messages), options_(options), parts_(chat_template.render_parts(context_of(input, messages, false), options)) {}

  ConversationRendering run(TrainOn train_on) {
    ConversationRendering made;
    std::size_t begin = 0;
    for (const jinja::Stretch& stretch : parts_.stretches) {
      if (stretch.mark.origin != jinja::kFromTemplate) add_span(made.from_data, begin, stretch.end);
      begin = stretch.end;
    }
    if (train_on == TrainOn::kEverything) {
      add_span(made.learn, 0, parts_.text.size());
      made.learned_turns = static_cast<int64_t>(messages_.size());
    } else {
      for (const std::size_t turn : wanted_turns(train_on)) {
        const std::size_t before = made.learn.size();
        template_.has_generation_blocks() ? learn_blocks(turn, made.learn) : learn_turn(turn, made.learn);
        made.learned_turns += made.learn.size() > before;
      }
    }
    made.text = std::move(parts_.text);
    return made;
  }

 private:
  std::vector<std::size_t> wanted_turns(TrainOn train_on) const {
    std::vector<std::size_t> turns;
    for (std::size_t i = 0; i < messages_.size(); ++i) {
      if (messages_[i].value("role", "") == "assistant") turns.push_back(i);
    }
    if (train_on == TrainOn::kLastAnswer && turns.size() > 1) turns.erase(turns.begin(), turns.end() - 1);
    std::erase_if(turns, [&](std::size_t turn) { return turn < input_.may_learn.size() && !input_.may_learn[turn]; });
    return turns;
  }

  // What was written while the template was at this message.
  void learn_blocks(std::size_t turn, std::vector<Span>& learn) const {
    std::size_t begin = 0;
    for (const jinja::Stretch& stretch : parts_.stretches) {
      if (stretch.mark.generated && stretch.mark.turn == turn + 1) add_span(learn, begin, stretch.end);
      begin = stretch.end;
    }
  }

  struct Extent {
    Span whole{0, 0};
    std::size_t first_data = 0;  // first byte of the message's own
    std::size_t last_data = 0;   // behind its last one
    bool has_data = false;
    int pieces = 0;
  };
  Extent extent_of(std::size_t turn) const {
    Extent extent;
    std::size_t begin = 0;
    for (const jinja::Stretch& stretch : parts_.stretches) {
      if (stretch.mark.turn == turn + 1) {
        if (extent.pieces == 0 || extent.whole.end != begin) ++extent.pieces;
        if (extent.pieces == 1 && extent.whole.end == 0) extent.whole.begin = begin;
        extent.whole.end = stretch.end;
        if (stretch.mark.origin != jinja::kFromTemplate) {
          if (!extent.has_data) extent.first_data = begin;
          extent.has_data = true;
          extent.last_data = stretch.end;
        }
      }
      begin = stretch.end;
    }
    return extent;
  }

  // What the model is given when it is asked at this place, less what stands there without the question.
  std::string generation_prompt(std::size_t turn) const {
    Json before = Json::array();
    for (std::size_t i = 0; i < turn; ++i) before.push_back(messages_[i]);
    const std::string with = template_.render(context_of(input_, before, true), options_).text;
    const std::string without = template_.render(context_of(input_, before, false), options_).text;
    return with.starts_with(without) ? with.substr(without.size()) : "";
  }

  void learn_turn(std::size_t turn, std::vector<Span>& learn) const {
    const Extent extent = extent_of(turn);
    if (extent.pieces != 1) {
      throw input_error("{}: the text of message {} cannot be told apart in the rendering. Use a template with generation blocks, or train_on everything.",
                        template_.name(), turn);
    }
    const std::string_view text = std::string_view(parts_.text).substr(extent.whole.begin, extent.whole.end - extent.whole.begin);
    const std::string prompt = generation_prompt(turn);
    std::size_t begin = extent.whole.begin;
    if (text.starts_with(prompt)) {
      begin += prompt.size();
    } else {
      // The prompt says more than this answer has (an open think block): from where both part, but never into the
      // message's own text.
      const auto parted = std::mismatch(text.begin(), text.end(), prompt.begin(), prompt.end()).first - text.begin();
      begin = extent.has_data ? extent.first_data : begin + static_cast<std::size_t>(parted);
    }
    std::size_t end = extent.whole.end;
    const std::size_t floor = std::max(begin, extent.has_data ? extent.last_data : begin);
    while (end > floor && is_space(parts_.text[end - 1])) --end;
    // Nothing but white space behind the answer: that is how it ends.
    if (end == floor) end = extent.whole.end;
    add_span(learn, begin, end);
  }

  const ChatTemplate& template_;
  const ConversationInput& input_;
  const Json& messages_;
  const RenderOptions& options_;
  jinja::RenderedParts parts_;
};

}  // namespace

ConversationRendering render_conversation(const ChatTemplate& chat_template, const ConversationInput& input, TrainOn train_on, const RenderOptions& options) {
  const Json messages = with_parsed_arguments(input.messages);
  return Learner(chat_template, input, messages, options).run(train_on);
}

Rendering render_prompt(const ChatTemplate& chat_template, const ConversationInput& input, const RenderOptions& options) {
  return chat_template.render(context_of(input, with_parsed_arguments(input.messages), true), options);
}

}  // namespace anneal::datasets
