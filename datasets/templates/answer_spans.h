#pragma once
// Which bytes of a rendered conversation are an assistant turn's own.

#include <optional>
#include <string>
#include <vector>

#include "datasets/span.h"
#include "datasets/templates/jinja/origin.h"

namespace anneal::datasets {

struct OwnedSpan {
  Span span;
  int turn = -1;  // the message it belongs to; -1: that cannot be told
};

// What stands inside {% generation %} blocks.
std::vector<OwnedSpan> generated_spans(const jinja::RenderedParts& parts);

// The one stretch that the template's loop over the messages wrote for a message, without blank leavings elsewhere.
// Empty optional: there is no such loop, or it wrote for the message in several places.
std::optional<Span> written_for(const jinja::RenderedParts& parts, std::size_t message);

// How much of the span is a generation prompt that fits `prompt`: the whole prompt, or the beginning that both share;
// never a letter of the data.
std::size_t shared_with_prompt(const jinja::RenderedParts& parts, const Span& span, const std::string& prompt);

// The span without the template's white space behind the end-of-turn token. If nothing but white space ends the turn,
// that is its end and stays.
Span without_trailing_space(const jinja::RenderedParts& parts, Span span);

// Whether the span holds data that is not of this message.
bool holds_other_data(const jinja::RenderedParts& parts, const Span& span, std::size_t message);

}  // namespace anneal::datasets
