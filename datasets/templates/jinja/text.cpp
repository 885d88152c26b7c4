#include "datasets/templates/jinja/text.h"

#include <cstring>

namespace anneal::datasets::jinja {

void TextBuilder::append(std::string_view bytes, const Mark& mark) {
  if (bytes.empty()) return;
  heap_->check_text(bytes_.size() + bytes.size());
  heap_->charge_bytes(bytes.size());
  bytes_.append(bytes);
  if (!stretches_.empty() && stretches_.back().mark == mark) {
    stretches_.back().end = bytes_.size();
  } else {
    stretches_.push_back({bytes_.size(), mark});
  }
}

void TextBuilder::append(const Value& text, uint32_t turn) {
  for_each_stretch(text, [&](std::string_view bytes, Mark mark) {
    if (mark.turn == 0) mark.turn = turn;
    append(bytes, mark);
  });
}

void TextBuilder::mark_generated(std::size_t begin) {
  std::size_t first = stretches_.size();
  while (first > 0 && stretches_[first - 1].end > begin) --first;
  if (first == stretches_.size()) return;
  const std::size_t first_begin = first == 0 ? 0 : stretches_[first - 1].end;
  if (first_begin < begin) {
    // The part before the block stays as it is.
    const Stretch before{begin, stretches_[first].mark};
    stretches_.insert(stretches_.begin() + static_cast<std::ptrdiff_t>(first), before);
    ++first;
  }
  for (; first < stretches_.size(); ++first) stretches_[first].mark.generated = true;
}

Value TextBuilder::take() {
  Value text;
  if (stretches_.empty()) {
    text = Value::text({});
  } else if (stretches_.size() == 1 && stretches_[0].mark == Mark{stretches_[0].mark.origin, 0, false}) {
    text = make_text(*heap_, std::move(bytes_), stretches_[0].mark.origin);
  } else {
    auto* body = new TextBody(*heap_, std::move(bytes_), std::move(stretches_));
    text = Value::text_in(body->bytes, body, kFromSeveral);
  }
  bytes_.clear();
  stretches_.clear();
  return text;
}

Value make_text(Heap& heap, std::string bytes, Origin origin) {
  heap.check_text(bytes.size());
  heap.charge_bytes(bytes.size());
  auto* body = new TextBody(heap, std::move(bytes), {});
  return Value::text_in(body->bytes, body, origin);
}

Value part_of(const Value& text, std::size_t begin, std::size_t end) {
  if (begin == 0 && end == text.as_text().size()) return text;
  const Value part = Value::text_in(text.as_text().substr(begin, end - begin), text.owner(), text.origin());
  return text.is_markup() ? part.with_markup(true) : part;
}

Origin whole_origin(const Value& text) {
  Origin origin = kFromTemplate;
  for_each_stretch(text, [&](std::string_view, const Mark& mark) { origin = mixed(origin, mark.origin); });
  return origin;
}

Mark mark_at(const Value& text, std::size_t place) {
  Mark found;
  std::size_t at = 0;
  for_each_stretch(text, [&](std::string_view bytes, const Mark& mark) {
    if (place >= at && place < at + bytes.size()) found = mark;
    at += bytes.size();
  });
  return found;
}

std::size_t find_bytes(std::string_view text, std::string_view part, std::size_t from) {
  if (from > text.size()) return std::string_view::npos;
  if (part.empty()) return from;
  if (text.size() - from < part.size()) return std::string_view::npos;
  // The C library's search is linear in the worst case; std::string_view::find is not.
  const void* found = memmem(text.data() + from, text.size() - from, part.data(), part.size());
  if (found == nullptr) return std::string_view::npos;
  return static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
}

std::size_t find_last_bytes(Heap& heap, std::string_view text, std::string_view part) {
  heap.charge_steps(static_cast<int64_t>(text.size() / 4096 * (part.size() / 4096 + 1)));
  return text.rfind(part);
}

}  // namespace anneal::datasets::jinja
