#include "datasets/templates/answer_spans.h"

#include <algorithm>

namespace anneal::datasets {
namespace {

using jinja::Mark;
using jinja::RenderedParts;
using jinja::Stretch;

// Calls visit(span, mark) for each stretch.
template <class Visit>
void for_each_stretch(const RenderedParts& parts, Visit&& visit) {
  std::size_t begin = 0;
  for (const Stretch& stretch : parts.stretches) {
    visit(Span{begin, stretch.end}, stretch.mark);
    begin = stretch.end;
  }
}

bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

bool is_blank_template(const RenderedParts& parts, const Span& span, const Mark& mark) {
  const auto begin = parts.text.begin() + static_cast<std::ptrdiff_t>(span.begin);
  return mark.origin == jinja::kFromTemplate &&
         std::all_of(begin, begin + static_cast<std::ptrdiff_t>(span.size()), is_blank);
}

int owner_of(const Mark& mark) {
  if (mark.turn > 0) return static_cast<int>(mark.turn) - 1;
  if (mark.origin >= jinja::kFromFirstMessage) return static_cast<int>(mark.origin - jinja::kFromFirstMessage);
  return -1;
}

}  // namespace

std::vector<OwnedSpan> generated_spans(const RenderedParts& parts) {
  std::vector<OwnedSpan> spans;
  for_each_stretch(parts, [&](const Span& span, const Mark& mark) {
    if (!mark.generated) return;
    const int owner = owner_of(mark);
    const bool adjoins = !spans.empty() && spans.back().span.end == span.begin;
    // What has no owner of its own belongs to its neighbour.
    if (adjoins && (owner < 0 || spans.back().turn < 0 || spans.back().turn == owner)) {
      spans.back().span.end = span.end;
      if (owner >= 0) spans.back().turn = owner;
    } else {
      spans.push_back({span, owner});
    }
  });
  return spans;
}

std::optional<Span> written_for(const RenderedParts& parts, std::size_t message) {
  struct Fragment {
    Span span;
    bool is_blank = true;
  };
  std::vector<Fragment> fragments;
  for_each_stretch(parts, [&](const Span& span, const Mark& mark) {
    if (mark.turn != message + 1) return;
    const bool blank = is_blank_template(parts, span, mark);
    if (!fragments.empty() && fragments.back().span.end == span.begin) {
      fragments.back().span.end = span.end;
      fragments.back().is_blank = fragments.back().is_blank && blank;
    } else {
      fragments.push_back({span, blank});
    }
  });
  if (fragments.size() > 1) std::erase_if(fragments, [](const Fragment& fragment) { return fragment.is_blank; });
  if (fragments.size() != 1) return std::nullopt;
  return fragments.front().span;
}

std::size_t shared_with_prompt(const RenderedParts& parts, const Span& span, const std::string& prompt) {
  std::size_t from_template = 0;  // bytes from the beginning of the span up to the first of the data
  for_each_stretch(parts, [&](const Span& stretch, const Mark& mark) {
    if (stretch.end <= span.begin || mark.origin != jinja::kFromTemplate) return;
    if (stretch.begin <= span.begin + from_template) from_template = std::min(stretch.end, span.end) - span.begin;
  });
  std::size_t shared = 0;
  while (shared < prompt.size() && shared < from_template && parts.text[span.begin + shared] == prompt[shared])
    ++shared;
  return shared;
}

Span without_trailing_space(const RenderedParts& parts, Span span) {
  Span trimmed = span;
  bool ends_in_template = false;
  for (auto stretch = parts.stretches.rbegin(); stretch != parts.stretches.rend(); ++stretch) {
    const std::size_t begin = std::next(stretch) == parts.stretches.rend() ? 0 : std::next(stretch)->end;
    if (begin >= trimmed.end) continue;
    if (stretch->mark.origin != jinja::kFromTemplate) break;
    while (trimmed.end > span.begin && trimmed.end > begin && is_blank(parts.text[trimmed.end - 1])) --trimmed.end;
    if (trimmed.end > begin) {
      ends_in_template = true;
      break;
    }
  }
  return ends_in_template && !trimmed.empty() ? trimmed : span;
}

bool holds_other_data(const RenderedParts& parts, const Span& span, std::size_t message) {
  bool found = false;
  for_each_stretch(parts, [&](const Span& stretch, const Mark& mark) {
    const bool is_other = mark.origin == jinja::kFromSeveral || (mark.origin >= jinja::kFromFirstMessage &&
                                                                 mark.origin != jinja::kFromFirstMessage + message);
    found = found || (is_other && stretch.overlaps(span));
  });
  return found;
}

}  // namespace anneal::datasets
