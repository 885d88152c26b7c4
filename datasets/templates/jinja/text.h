#pragma once
// Texts with the origin of every byte: the body that holds one, the builder that makes one, and parts of one.

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/templates/jinja/value.h"

namespace anneal::datasets::jinja {

// `stretches` is empty where the whole text has one origin and no other mark; the values that look at it know it then.
class TextBody : public Object {
 public:
  TextBody(Heap& heap, std::string text, std::vector<Stretch> marks)
      : Object(heap, sizeof(TextBody) + text.capacity() + marks.capacity() * sizeof(Stretch)),
        bytes(std::move(text)),
        stretches(std::move(marks)) {}
  const std::string bytes;
  const std::vector<Stretch> stretches;
};

// Appends texts, and keeps their marks.
class TextBuilder {
 public:
  explicit TextBuilder(Heap& heap) : heap_(&heap) {}

  void append(std::string_view bytes, const Mark& mark = {});
  void append(char byte, const Mark& mark = {}) { append(std::string_view(&byte, 1), mark); }
  // With its marks; what was written for no message yet is marked as written for `turn`.
  void append(const Value& text, uint32_t turn = 0);
  // All bytes from `begin` on were written inside a {% generation %} block.
  void mark_generated(std::size_t begin);

  std::size_t size() const { return bytes_.size(); }
  const std::string& bytes() const { return bytes_; }
  // The text as a value; the builder is empty afterwards.
  Value take();
  RenderedParts take_parts() { return {std::move(bytes_), std::move(stretches_)}; }

 private:
  Heap* heap_;
  std::string bytes_;
  std::vector<Stretch> stretches_;
};

// A text made anew, all of one origin.
Value make_text(Heap& heap, std::string bytes, Origin origin = kFromTemplate);

// Bytes [begin, end) of a text; nothing is copied. Keeps markup.
Value part_of(const Value& text, std::size_t begin, std::size_t end);

// The origin of a text as a whole: its only one, or a mixture.
Origin whole_origin(const Value& text);

// Calls visit(part, mark) for each stretch of the text in order.
template <class Visit>
void for_each_stretch(const Value& text, Visit&& visit) {
  const std::string_view bytes = text.as_text();
  if (bytes.empty()) return;
  const auto* body = static_cast<const TextBody*>(text.owner());
  if (body == nullptr || body->stretches.empty()) {
    visit(bytes, Mark{text.origin(), 0, false});
    return;
  }
  const auto begin = static_cast<std::size_t>(bytes.data() - body->bytes.data());
  const std::size_t end = begin + bytes.size();
  std::size_t at = begin;
  // The first stretch that reaches beyond `begin`.
  auto stretch = std::upper_bound(body->stretches.begin(), body->stretches.end(), begin,
                                  [](std::size_t place, const Stretch& s) { return place < s.end; });
  for (; at < end; ++stretch) {
    const std::size_t stop = std::min(end, stretch->end);
    visit(bytes.substr(at - begin, stop - at), stretch->mark);
    at = stop;
  }
}

// The mark of the byte at `place` of the text.
Mark mark_at(const Value& text, std::size_t place);

// Where `part` stands in `text` from `from` on, or npos; linear in the length of the text whatever it holds.
std::size_t find_bytes(std::string_view text, std::string_view part, std::size_t from = 0);
// The last place; not linear in the worst case, so it costs steps.
std::size_t find_last_bytes(Heap& heap, std::string_view text, std::string_view part);

}  // namespace anneal::datasets::jinja
