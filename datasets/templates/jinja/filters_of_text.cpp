// Filters that make a text of a text.

#include <fmt/format.h>

#include <algorithm>

#include "datasets/templates/jinja/attribute_path.h"
#include "datasets/templates/jinja/builtins.h"
#include "datasets/templates/jinja/containers.h"
#include "datasets/templates/jinja/evaluator.h"
#include "datasets/templates/jinja/iteration.h"
#include "datasets/templates/jinja/json_text.h"
#include "datasets/templates/jinja/markup.h"
#include "datasets/templates/jinja/operators.h"
#include "datasets/templates/jinja/percent_format.h"
#include "datasets/templates/jinja/printing.h"
#include "datasets/templates/jinja/text_case.h"
#include "datasets/templates/jinja/text_cut.h"
#include "datasets/templates/jinja/unicode.h"

namespace anneal::datasets::jinja {
namespace {

template <LetterCase wanted>
Value change_case(Evaluator& evaluator, const Value& subject, const Arguments& arguments) {
  const Bound bound(arguments, "a change of case", {});
  return in_case(evaluator.heap(), to_soft_text(evaluator.heap(), subject), wanted);
}

// Words begin behind blanks, hyphens and opening brackets.
Value title(Evaluator& evaluator, const Value& subject, const Arguments& arguments) {
  const Bound bound(arguments, "title", {});
  Heap& heap = evaluator.heap();
  const Value whole = to_soft_text(heap, subject);
  const std::string_view text = whole.as_text();
  const auto separates = [](char32_t code) {
    return code == '-' || code == '(' || code == '{' || code == '[' || code == '<' || is_space(code);
  };
  TextBuilder builder(heap);
  for (std::size_t at = 0; at < text.size();) {
    const Character first = character_at(text, at);
    std::size_t end = at + first.size;
    while (end < text.size()) {
      const Character character = character_at(text, end);
      if (separates(character.code) != separates(first.code)) break;
      end += character.size;
    }
    const std::size_t rest = at + first.size;
    builder.append(in_case(heap, part_of(whole, at, rest), LetterCase::kUpper));
    builder.append(in_case(heap, part_of(whole, rest, end), LetterCase::kLower));
    at = end;
  }
  return builder.take();
}

Value trim(Evaluator& evaluator, const Value& subject, const Arguments& arguments) {
  const Bound bound(arguments, "trim", {"chars"});
  const Value text = to_soft_text(evaluator.heap(), subject);
  return strip(evaluator.heap(), text, bound[0] == nullptr ? Value() : *bound[0], true, true);
}

Value replace_text(Evaluator& evaluator, const Value& subject, const Arguments& arguments) {
  const Bound bound(arguments, "replace", {"old", "new", "count"}, 2);
  Heap& heap = evaluator.heap();
  const Value text = to_text(heap, subject);
  const Value old = to_text(heap, *bound[0]);
  return replace(heap, text, old.as_text(), to_text(heap, *bound[1]), integer_or(bound[2], -1, "replace"));
}

Value join_items(Evaluator& evaluator, const Value& subject, const Arguments& arguments) {
  const Bound bound(arguments, "join", {"d", "attribute"});
  Heap& heap = evaluator.heap();
  const AttributePath path(bound[1] == nullptr ? Value::none() : *bound[1]);
  const Value separator = bound[0] == nullptr ? Value::text({}) : to_text(heap, *bound[0]);
  TextBuilder builder(heap);
  bool is_first = true;
  Iteration iteration(heap, subject);
  for (Value item; iteration.next(item); is_first = false) {
    if (!is_first) builder.append(separator);
    builder.append(to_text(heap, path.of(evaluator, item)));
  }
  return builder.take();
}

Value to_string(Evaluator& evaluator, const Value& subject, const Arguments& arguments) {
  const Bound bound(arguments, "string", {});
  return to_soft_text(evaluator.heap(), subject);
}

// "%s" | format(x)
Value format(Evaluator& evaluator, const Value& subject, const Arguments& arguments) {
  Heap& heap = evaluator.heap();
  if (!arguments.positional.empty() && !arguments.named.empty()) {
    throw Failure("format can't handle positional and keyword arguments at the same time");
  }
  const Value text = to_soft_text(heap, subject);
  if (arguments.named.empty()) return percent_format(heap, text, make_tuple(heap, arguments.positional));
  auto* dict = new DictBody(heap);
  const Value values = Value::object(Kind::kDict, dict);
  for (const auto& [name, value] : arguments.named) dict->set(name, value);
  return percent_format(heap, text, values);
}

Value indent(Evaluator& evaluator, const Value& subject, const Arguments& arguments) {
  const Bound bound(arguments, "indent", {"width", "first", "blank"});
  Heap& heap = evaluator.heap();
  Value indention;
  if (bound[0] != nullptr && bound[0]->is_text()) {
    indention = *bound[0];
  } else {
    const Integer width = bound[0] == nullptr ? 4 : integer_argument(*bound[0], "indent");
    indention = calculate(heap, Operator::kMultiply, Value::text(" "), Value::integer(width));
  }
  // One more newline makes splitlines count the last line too.
  const Value text = calculate(heap, Operator::kAdd, subject, Value::text("\n"));
  const std::vector<Value> lines = split_lines(heap, text, false);
  const bool blank = truth_or(bound[2], false);
  TextBuilder builder(heap);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i > 0) builder.append('\n');
    const bool wanted = i == 0 ? truth_or(bound[1], false) : blank || !lines[i].as_text().empty();
    if (wanted) builder.append(indention);
    builder.append(lines[i]);
  }
  return builder.take().with_markup(subject.is_markup());
}

Value center(Evaluator& evaluator, const Value& subject, const Arguments& arguments) {
  const Bound bound(arguments, "center", {"width"});
  Arguments padding;
  padding.positional.push_back(bound[0] == nullptr ? Value::integer(80) : *bound[0]);
  const Value text = to_soft_text(evaluator.heap(), subject);
  return find_member(Kind::kText, "center")->method(evaluator, text, padding);
}

Value truncate(Evaluator& evaluator, const Value& subject, const Arguments& arguments) {
  const Bound bound(arguments, "truncate", {"length", "killwords", "end", "leeway"});
  Heap& heap = evaluator.heap();
  const Integer length = integer_or(bound[0], 255, "truncate");
  const Value end = bound[2] == nullptr ? Value::text("...") : *bound[2];
  const Integer leeway = integer_or(bound[3], 5, "truncate");
  const Integer end_length = length_or_fail(heap, end);
  if (length < end_length) throw Failure(fmt::format("expected length >= {}, got {}", end_length, length));
  if (leeway < 0) throw Failure(fmt::format("expected leeway >= 0, got {}", leeway));
  if (length_or_fail(heap, subject) <= length + leeway) return subject;
  text_argument(subject, "truncate");
  const std::string_view text = subject.as_text();
  const std::size_t kept = byte_of_character(text, static_cast<std::size_t>(length - end_length));
  Value result = part_of(subject, 0, kept);
  if (!truth_or(bound[1], false)) {
    const std::size_t blank = result.as_text().rfind(' ');
    if (blank != std::string_view::npos) result = part_of(result, 0, blank);
  }
  return calculate(heap, Operator::kAdd, result, end);
}

Value count_words(Evaluator& evaluator, const Value& subject, const Arguments& arguments) {
  const Bound bound(arguments, "wordcount", {});
  const Value whole = to_soft_text(evaluator.heap(), subject);
  const std::string_view text = whole.as_text();
  evaluator.heap().charge_bytes(text.size());
  Integer words = 0;
  bool in_word = false;
  for (std::size_t at = 0; at < text.size();) {
    const Character character = character_at(text, at);
    const bool is_part = is_word(character.code);
    if (is_part && !in_word) ++words;
    in_word = is_part;
    at += character.size;
  }
  return Value::integer(words);
}

Value to_json(Evaluator& evaluator, const Value& subject, const Arguments& arguments) {
  const Bound bound(arguments, "tojson", {"ensure_ascii", "indent", "separators", "sort_keys"});
  JsonStyle style;
  style.ascii_only = truth_or(bound[0], false);
  style.sort_keys = truth_or(bound[3], false);
  if (bound[1] != nullptr && !bound[1]->is_none()) {
    style.is_indented = true;
    if (bound[1]->is_text()) {
      style.indent = bound[1]->as_text();
    } else {
      const Integer width = std::clamp<Integer>(integer_argument(*bound[1], "tojson"), 0, 1000);
      style.indent = std::string(static_cast<std::size_t>(width), ' ');
    }
    style.item_separator = ",";
  }
  if (bound[2] != nullptr && !bound[2]->is_none()) {
    const std::vector<Value> separators = items_of(evaluator.heap(), *bound[2]);
    if (separators.size() != 2) throw Failure("tojson() needs two separators");
    style.item_separator = text_argument(separators[0], "tojson");
    style.key_separator = text_argument(separators[1], "tojson");
  }
  return json_text(evaluator.heap(), subject, style);
}

constexpr NamedBuiltin kFilters[] = {
    {"upper", change_case<LetterCase::kUpper>},
    {"lower", change_case<LetterCase::kLower>},
    {"capitalize", change_case<LetterCase::kCapitalized>},
    {"title", title},
    {"trim", trim},
    {"replace", replace_text},
    {"join", join_items},
    {"string", to_string},
    {"format", format},
    {"indent", indent},
    {"center", center},
    {"truncate", truncate},
    {"wordcount", count_words},
    {"tojson", to_json},
};

}  // namespace

std::span<const NamedBuiltin> text_filters() { return kFilters; }

}  // namespace anneal::datasets::jinja
