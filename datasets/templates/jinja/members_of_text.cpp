// The methods of str that cut, join and pad.

#include <fmt/format.h>

#include <algorithm>

#include "datasets/templates/jinja/brace_format.h"
#include "datasets/templates/jinja/builtins.h"
#include "datasets/templates/jinja/evaluator.h"
#include "datasets/templates/jinja/iteration.h"
#include "datasets/templates/jinja/markup.h"
#include "datasets/templates/jinja/number_format.h"
#include "datasets/templates/jinja/text_cut.h"
#include "datasets/templates/jinja/unicode.h"

namespace anneal::datasets::jinja {
namespace {

template <bool left, bool right>
Value strip_text(Evaluator& evaluator, const Value& subject, const Arguments& arguments) {
  expect_positional(arguments, "strip", 0, 1);
  return strip(evaluator.heap(), subject, arguments.positional.empty() ? Value() : arguments.positional[0], left,
               right);
}

template <std::vector<Value> (*cut)(Heap&, const Value&, const Value&, Integer)>
Value split_text(Evaluator& evaluator, const Value& subject, const Arguments& arguments) {
  const Bound bound(arguments, "split", {"sep", "maxsplit"});
  const Integer most = bound[1] == nullptr ? -1 : integer_argument(*bound[1], "split");
  return make_list(evaluator.heap(), cut(evaluator.heap(), subject, bound[0] == nullptr ? Value() : *bound[0], most));
}

Value split_text_lines(Evaluator& evaluator, const Value& subject, const Arguments& arguments) {
  const Bound bound(arguments, "splitlines", {"keepends"});
  return make_list(evaluator.heap(), split_lines(evaluator.heap(), subject, truth_or(bound[0], false)));
}

template <bool from_right>
Value partition(Evaluator& evaluator, const Value& subject, const Arguments& arguments) {
  expect_positional(arguments, "partition", 1, 1);
  const std::string_view separator = text_argument(arguments.positional[0], "partition");
  if (separator.empty()) throw Failure("empty separator");
  const std::string_view text = subject.as_text();
  const std::size_t found =
      from_right ? find_last_bytes(evaluator.heap(), text, separator) : find_bytes(text, separator);
  const Value empty = part_of(subject, 0, 0);
  if (found == std::string_view::npos) {
    return from_right ? make_tuple(evaluator.heap(), {empty, empty, subject})
                      : make_tuple(evaluator.heap(), {subject, empty, empty});
  }
  const std::size_t after = found + separator.size();
  return make_tuple(evaluator.heap(),
                    {part_of(subject, 0, found), part_of(subject, found, after), part_of(subject, after, text.size())});
}

template <bool at_end>
Value remove_affix(Evaluator&, const Value& subject, const Arguments& arguments) {
  expect_positional(arguments, at_end ? "removesuffix" : "removeprefix", 1, 1);
  const std::string_view affix = text_argument(arguments.positional[0], "removeprefix");
  const std::string_view text = subject.as_text();
  if (affix.empty()) return subject;
  if (at_end) return text.ends_with(affix) ? part_of(subject, 0, text.size() - affix.size()) : subject;
  return text.starts_with(affix) ? part_of(subject, affix.size(), text.size()) : subject;
}

Value replace_text(Evaluator& evaluator, const Value& subject, const Arguments& arguments) {
  expect_positional(arguments, "replace", 2, 3);
  const std::string_view old = text_argument(arguments.positional[0], "replace");
  text_argument(arguments.positional[1], "replace");
  const Integer most = arguments.positional.size() < 3 ? -1 : integer_argument(arguments.positional[2], "replace");
  const Value& replacement = arguments.positional[1];
  Heap& heap = evaluator.heap();
  return replace(heap, subject, old, subject.is_markup() ? escape(heap, replacement) : replacement, most);
}

Value join_texts(Evaluator& evaluator, const Value& subject, const Arguments& arguments) {
  expect_positional(arguments, "join", 1, 1);
  Heap& heap = evaluator.heap();
  std::vector<Value> items = items_of(heap, arguments.positional[0]);
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (subject.is_markup()) {
      items[i] = escape(heap, items[i]);
    } else if (!items[i].is_text()) {
      throw Failure(fmt::format("sequence item {}: expected str instance, {} found", i, type_name(items[i])));
    }
  }
  return join(heap, subject, items).with_markup(subject.is_markup());
}

Value format_text(Evaluator& evaluator, const Value& subject, const Arguments& arguments) {
  return brace_format(evaluator, subject, arguments, Value());
}
Value format_map(Evaluator& evaluator, const Value& subject, const Arguments& arguments) {
  expect_positional(arguments, "format_map", 1, 1);
  return brace_format(evaluator, subject, {}, arguments.positional[0]);
}

Value pad(Heap& heap, const Value& subject, Integer width, const Value& fill, char align) {
  const std::size_t size = count_characters(subject.as_text());
  const auto wanted = static_cast<std::size_t>(std::clamp<Integer>(width, 0, Integer{1} << 40));
  heap.check_text(wanted);
  Padding padding = padding_for(size, wanted, align);
  if (align == '^' && size < wanted) {
    // str.center puts the odd blank on the left if the width is odd.
    const std::size_t missing = wanted - size;
    padding.before = missing / 2 + (missing & wanted & 1);
    padding.after = missing - padding.before;
  }
  TextBuilder builder(heap);
  for (std::size_t i = 0; i < padding.before; ++i) builder.append(fill);
  builder.append(subject);
  for (std::size_t i = 0; i < padding.after; ++i) builder.append(fill);
  return builder.take().with_markup(subject.is_markup());
}

template <char align>
Value pad_text(Evaluator& evaluator, const Value& subject, const Arguments& arguments) {
  expect_positional(arguments, "padding", 1, 2);
  const Value fill = arguments.positional.size() < 2 ? Value::text(" ") : arguments.positional[1];
  if (!fill.is_text() || count_characters(fill.as_text()) != 1) {
    throw Failure("The fill character must be exactly one character long");
  }
  return pad(evaluator.heap(), subject, integer_argument(arguments.positional[0], "padding"), fill, align);
}

Value fill_with_zeros(Evaluator& evaluator, const Value& subject, const Arguments& arguments) {
  expect_positional(arguments, "zfill", 1, 1);
  const std::string_view text = subject.as_text();
  const std::size_t sign = !text.empty() && (text[0] == '-' || text[0] == '+') ? 1 : 0;
  Integer width = integer_argument(arguments.positional[0], "zfill");
  TextBuilder builder(evaluator.heap());
  builder.append(part_of(subject, 0, sign));
  builder.append(pad(evaluator.heap(), part_of(subject, sign, text.size()), width - static_cast<Integer>(sign),
                     Value::text("0"), '>'));
  return builder.take().with_markup(subject.is_markup());
}

Value expand_tabs(Evaluator& evaluator, const Value& subject, const Arguments& arguments) {
  const Bound bound(arguments, "expandtabs", {"tabsize"});
  const Integer size = std::min<Integer>(integer_or(bound[0], 8, "expandtabs"), 1 << 20);
  const std::string_view text = subject.as_text();
  TextBuilder builder(evaluator.heap());
  Integer column = 0;
  for (std::size_t at = 0; at < text.size();) {
    const Character character = character_at(text, at);
    if (character.code == '\t') {
      const Integer blanks = size > 0 ? size - column % size : 0;
      builder.append(std::string(static_cast<std::size_t>(blanks), ' '), mark_at(subject, at));
      column += blanks;
    } else {
      builder.append(part_of(subject, at, at + character.size));
      column = character.code == '\n' || character.code == '\r' ? 0 : column + 1;
    }
    at += character.size;
  }
  return builder.take().with_markup(subject.is_markup());
}

Value not_offered(Evaluator&, const Value&, const Arguments&) {
  throw Failure("the methods encode, translate and maketrans of str are not offered in templates");
}

constexpr Member kMembers[] = {
    {.name = "strip", .method = strip_text<true, true>},
    {.name = "lstrip", .method = strip_text<true, false>},
    {.name = "rstrip", .method = strip_text<false, true>},
    {.name = "split", .method = split_text<split>},
    {.name = "rsplit", .method = split_text<split_from_right>},
    {.name = "splitlines", .method = split_text_lines},
    {.name = "partition", .method = partition<false>},
    {.name = "rpartition", .method = partition<true>},
    {.name = "removeprefix", .method = remove_affix<false>},
    {.name = "removesuffix", .method = remove_affix<true>},
    {.name = "replace", .method = replace_text},
    {.name = "join", .method = join_texts},
    {.name = "format", .method = format_text},
    {.name = "format_map", .method = format_map},
    {.name = "center", .method = pad_text<'^'>},
    {.name = "ljust", .method = pad_text<'<'>},
    {.name = "rjust", .method = pad_text<'>'>},
    {.name = "zfill", .method = fill_with_zeros},
    {.name = "expandtabs", .method = expand_tabs},
    {.name = "encode", .method = not_offered},
    {.name = "translate", .method = not_offered},
    {.name = "maketrans", .method = not_offered},
};

}  // namespace

std::span<const Member> text_members() { return kMembers; }

}  // namespace anneal::datasets::jinja
