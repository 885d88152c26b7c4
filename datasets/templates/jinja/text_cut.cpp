#include "datasets/templates/jinja/text_cut.h"

#include <algorithm>

#include "datasets/templates/jinja/iteration.h"
#include "datasets/templates/jinja/unicode.h"

namespace anneal::datasets::jinja {
namespace {

bool is_line_end(char32_t code) {
  return (code >= 0x0A && code <= 0x0D) || (code >= 0x1C && code <= 0x1E) || code == 0x85 || code == 0x2028 ||
         code == 0x2029;
}

bool is_among(std::string_view characters, char32_t code) {
  for (std::size_t at = 0; at < characters.size();) {
    const Character character = character_at(characters, at);
    if (character.code == code) return true;
    at += character.size;
  }
  return false;
}

std::vector<Value> split_at_space(Heap& heap, const Value& text, Integer most) {
  std::vector<Value> parts;
  const std::string_view bytes = text.as_text();
  std::size_t at = 0;
  const auto pass = [&](bool space) {
    while (at < bytes.size()) {
      const Character character = character_at(bytes, at);
      if (is_space(character.code) != space) break;
      at += character.size;
    }
  };
  while (true) {
    pass(true);
    if (at == bytes.size()) return parts;
    const std::size_t begin = at;
    if (most >= 0 && static_cast<Integer>(parts.size()) == most) {
      // What is left keeps the white space at its end.
      add_item(heap, parts, part_of(text, begin, bytes.size()));
      return parts;
    }
    pass(false);
    add_item(heap, parts, part_of(text, begin, at));
  }
}

std::vector<Value> split_at_space_from_right(Heap& heap, const Value& text, Integer most) {
  std::vector<Value> parts;
  const std::string_view bytes = text.as_text();
  std::size_t at = bytes.size();
  const auto pass = [&](bool space) {
    while (at > 0) {
      const Character character = character_before(bytes, at);
      if (is_space(character.code) != space) break;
      at -= character.size;
    }
  };
  while (true) {
    pass(true);
    if (at == 0) break;
    const std::size_t end = at;
    if (most >= 0 && static_cast<Integer>(parts.size()) == most) {
      add_item(heap, parts, part_of(text, 0, end));
      break;
    }
    pass(false);
    add_item(heap, parts, part_of(text, at, end));
  }
  std::reverse(parts.begin(), parts.end());
  return parts;
}

std::string_view separator_of(const Value& separator) {
  if (!separator.is_text()) throw Failure(std::string("must be str or None, not ") + std::string(type_name(separator)));
  if (separator.as_text().empty()) throw Failure("empty separator");
  return separator.as_text();
}

bool is_absent(const Value& value) { return value.is_missing() || value.is_none(); }

}  // namespace

Value strip(Heap& heap, const Value& text, const Value& wanted, bool left, bool right) {
  if (!is_absent(wanted) && !wanted.is_text()) throw Failure("strip arg must be None or str");
  const std::string_view characters = is_absent(wanted) ? std::string_view() : wanted.as_text();
  const auto goes = [&](char32_t code) {
    if (is_absent(wanted)) return is_space(code);
    heap.charge_steps(static_cast<int64_t>(characters.size() / 64));
    return is_among(characters, code);
  };
  const std::string_view bytes = text.as_text();
  std::size_t begin = 0;
  std::size_t end = bytes.size();
  while (left && begin < end) {
    const Character first = character_at(bytes, begin);
    if (!goes(first.code)) break;
    begin += first.size;
  }
  while (right && begin < end) {
    const Character last = character_before(bytes, end);
    if (!goes(last.code)) break;
    end -= last.size;
  }
  return part_of(text, begin, end);
}

std::vector<Value> split(Heap& heap, const Value& text, const Value& separator, Integer most) {
  heap.charge_bytes(text.as_text().size());
  if (is_absent(separator)) return split_at_space(heap, text, most);
  const std::string_view bytes = text.as_text();
  const std::string_view cut = separator_of(separator);
  std::vector<Value> parts;
  std::size_t at = 0;
  while (most < 0 || static_cast<Integer>(parts.size()) < most) {
    const std::size_t found = find_bytes(bytes, cut, at);
    if (found == std::string_view::npos) break;
    heap.charge_steps(1);
    add_item(heap, parts, part_of(text, at, found));
    at = found + cut.size();
  }
  add_item(heap, parts, part_of(text, at, bytes.size()));
  return parts;
}

std::vector<Value> split_from_right(Heap& heap, const Value& text, const Value& separator, Integer most) {
  heap.charge_bytes(text.as_text().size());
  if (is_absent(separator)) return split_at_space_from_right(heap, text, most);
  std::string_view left = text.as_text();
  const std::string_view cut = separator_of(separator);
  std::vector<Value> parts;
  while (most < 0 || static_cast<Integer>(parts.size()) < most) {
    const std::size_t found = find_last_bytes(heap, left, cut);
    heap.charge_steps(1);
    if (found == std::string_view::npos) break;
    add_item(heap, parts, part_of(text, found + cut.size(), left.size()));
    left = left.substr(0, found);
  }
  add_item(heap, parts, part_of(text, 0, left.size()));
  std::reverse(parts.begin(), parts.end());
  return parts;
}

std::vector<Value> split_lines(Heap& heap, const Value& text, bool keep_ends) {
  heap.charge_bytes(text.as_text().size());
  const std::string_view bytes = text.as_text();
  std::vector<Value> lines;
  std::size_t begin = 0;
  for (std::size_t at = 0; at < bytes.size();) {
    const Character character = character_at(bytes, at);
    const std::size_t line_end = at;
    at += character.size;
    if (!is_line_end(character.code)) continue;
    if (character.code == '\r' && at < bytes.size() && bytes[at] == '\n') ++at;
    add_item(heap, lines, part_of(text, begin, keep_ends ? at : line_end));
    heap.charge_steps(1);
    begin = at;
  }
  if (begin < bytes.size()) add_item(heap, lines, part_of(text, begin, bytes.size()));
  return lines;
}

Value replace(Heap& heap, const Value& text, std::string_view old, const Value& replacement, Integer most) {
  const std::string_view bytes = text.as_text();
  TextBuilder builder(heap);
  std::size_t at = 0;
  Integer times = 0;
  if (old.empty()) {
    // Between all characters, and at both ends.
    while (most < 0 || times < most) {
      heap.charge_steps(1);
      builder.append(replacement);
      ++times;
      if (at == bytes.size()) break;
      const std::size_t size = character_at(bytes, at).size;
      builder.append(part_of(text, at, at + size));
      at += size;
    }
  } else {
    while (most < 0 || times < most) {
      const std::size_t found = find_bytes(bytes, old, at);
      if (found == std::string_view::npos) break;
      heap.charge_steps(1);
      builder.append(part_of(text, at, found));
      builder.append(replacement);
      at = found + old.size();
      ++times;
    }
    heap.charge_bytes(bytes.size());
    if (times == 0) return text;
  }
  builder.append(part_of(text, at, bytes.size()));
  return builder.take().with_markup(text.is_markup());
}

Value join(Heap& heap, const Value& separator, const std::vector<Value>& texts) {
  TextBuilder builder(heap);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (i > 0) builder.append(separator);
    builder.append(texts[i]);
  }
  return builder.take();
}

}  // namespace anneal::datasets::jinja
