// str.find and its like. Places are counted in characters.

#include <fmt/format.h>

#include <algorithm>

#include "datasets/templates/jinja/builtins.h"
#include "datasets/templates/jinja/containers.h"
#include "datasets/templates/jinja/evaluator.h"
#include "datasets/templates/jinja/unicode.h"

namespace anneal::datasets::jinja {
namespace {

// The part of a text between two optional places, as Python's methods take them.
struct Range {
  std::size_t begin, end;  // bytes; begin > end: the start lies behind the end
};
Range range_of(const Value& subject, const Arguments& arguments, std::size_t first, std::string_view function) {
  const std::string_view text = subject.as_text();
  const auto place = [&](std::size_t index, std::size_t fallback) {
    if (index >= arguments.positional.size() || arguments.positional[index].is_none()) return fallback;
    Integer number = integer_argument(arguments.positional[index], function);
    const auto size = static_cast<Integer>(count_characters(text));
    if (number < 0) number = std::max<Integer>(number + size, 0);
    if (number > size) return text.size() + 1;
    return byte_of_character(text, static_cast<std::size_t>(number));
  };
  return {place(first, 0), std::min(place(first + 1, text.size()), text.size())};
}

// The byte where the argument stands in the subject, or npos.
template <bool last>
std::size_t locate(Evaluator& evaluator, const Value& subject, const Arguments& arguments, std::string_view function) {
  expect_positional(arguments, function, 1, 3);
  const std::string_view part = text_argument(arguments.positional[0], function);
  const Range range = range_of(subject, arguments, 1, function);
  if (range.begin > range.end) return std::string_view::npos;
  const std::string_view text = subject.as_text().substr(range.begin, range.end - range.begin);
  evaluator.heap().charge_bytes(text.size());
  const std::size_t found = last ? find_last_bytes(evaluator.heap(), text, part) : find_bytes(text, part);
  return found == std::string_view::npos ? found : range.begin + found;
}

template <bool last>
Value find(Evaluator& evaluator, const Value& subject, const Arguments& arguments) {
  const std::size_t found = locate<last>(evaluator, subject, arguments, last ? "rfind" : "find");
  if (found == std::string_view::npos) return Value::integer(-1);
  return Value::integer(static_cast<Integer>(character_of_byte(subject.as_text(), found)));
}

template <bool last>
Value index(Evaluator& evaluator, const Value& subject, const Arguments& arguments) {
  const std::size_t found = locate<last>(evaluator, subject, arguments, last ? "rindex" : "index");
  if (found == std::string_view::npos) throw Failure("substring not found");
  return Value::integer(static_cast<Integer>(character_of_byte(subject.as_text(), found)));
}

Value count(Evaluator& evaluator, const Value& subject, const Arguments& arguments) {
  expect_positional(arguments, "count", 1, 3);
  const std::string_view part = text_argument(arguments.positional[0], "count");
  const Range range = range_of(subject, arguments, 1, "count");
  if (range.begin > range.end) return Value::integer(0);
  const std::string_view text = subject.as_text().substr(range.begin, range.end - range.begin);
  evaluator.heap().charge_bytes(text.size());
  if (part.empty()) return Value::integer(static_cast<Integer>(count_characters(text)) + 1);
  Integer times = 0;
  for (std::size_t at = find_bytes(text, part); at != std::string_view::npos;
       at = find_bytes(text, part, at + part.size())) {
    ++times;
  }
  return Value::integer(times);
}

template <bool at_end>
Value begins_or_ends(Evaluator&, const Value& subject, const Arguments& arguments) {
  constexpr std::string_view kName = at_end ? "endswith" : "startswith";
  expect_positional(arguments, kName, 1, 3);
  const Range range = range_of(subject, arguments, 1, kName);
  if (range.begin > range.end) return Value::boolean(false);
  const std::string_view text = subject.as_text().substr(range.begin, range.end - range.begin);
  const auto fits = [&](const Value& part) {
    if (!part.is_text()) {
      throw Failure(fmt::format("{} first arg must be str or a tuple of str, not {}", kName, type_name(part)));
    }
    return at_end ? text.ends_with(part.as_text()) : text.starts_with(part.as_text());
  };
  const Value& wanted = arguments.positional[0];
  if (!wanted.is(Kind::kTuple)) return Value::boolean(fits(wanted));
  const auto& parts = wanted.as<ListBody>().items;
  return Value::boolean(std::any_of(parts.begin(), parts.end(), fits));
}

constexpr Member kMembers[] = {
    {.name = "find", .method = find<false>},
    {.name = "rfind", .method = find<true>},
    {.name = "index", .method = index<false>},
    {.name = "rindex", .method = index<true>},
    {.name = "count", .method = count},
    {.name = "startswith", .method = begins_or_ends<false>},
    {.name = "endswith", .method = begins_or_ends<true>},
};

}  // namespace

std::span<const Member> text_search_members() { return kMembers; }

}  // namespace anneal::datasets::jinja
