// str.upper and its like, and the questions about letters.

#include "datasets/templates/jinja/builtins.h"
#include "datasets/templates/jinja/evaluator.h"
#include "datasets/templates/jinja/text_case.h"
#include "datasets/templates/jinja/unicode.h"

namespace anneal::datasets::jinja {
namespace {

template <LetterCase wanted>
Value change_case(Evaluator& evaluator, const Value& subject, const Arguments& arguments) {
  expect_positional(arguments, "a change of case", 0, 0);
  return in_case(evaluator.heap(), subject, wanted);
}

template <bool (*holds)(std::string_view)>
Value ask(Evaluator& evaluator, const Value& subject, const Arguments& arguments) {
  expect_positional(arguments, "a question about a text", 0, 0);
  evaluator.heap().charge_bytes(subject.as_text().size());
  return Value::boolean(holds(subject.as_text()));
}

template <class Holds>
bool all_characters(std::string_view text, Holds holds) {
  for (std::size_t at = 0; at < text.size();) {
    const Character character = character_at(text, at);
    if (!holds(character.code)) return false;
    at += character.size;
  }
  return true;
}
template <bool (*holds)(char32_t)>
bool some_and_all(std::string_view text) {
  return !text.empty() && all_characters(text, holds);
}

bool is_letter_or_number(char32_t code) { return is_letter(code) || is_numeric(code); }

bool is_lower_text(std::string_view text) {
  bool any = false;
  return all_characters(text,
                        [&](char32_t code) {
                          any = any || is_lower(code);
                          return !is_upper(code) && !is_title(code);
                        }) &&
         any;
}
bool is_upper_text(std::string_view text) {
  bool any = false;
  return all_characters(text,
                        [&](char32_t code) {
                          any = any || is_upper(code);
                          return !is_lower(code) && !is_title(code);
                        }) &&
         any;
}
// Capitals begin words, and only words.
bool is_title_text(std::string_view text) {
  bool any = false;
  bool follows_cased = false;
  return all_characters(text,
                        [&](char32_t code) {
                          const bool capital = is_upper(code) || is_title(code);
                          const bool fits = capital ? !follows_cased : !is_lower(code) || follows_cased;
                          follows_cased = is_cased(code);
                          any = any || follows_cased;
                          return fits;
                        }) &&
         any;
}
bool is_printable_text(std::string_view text) { return all_characters(text, is_printable); }
bool is_identifier(std::string_view text) {
  return !text.empty() && is_identifier_start(character_at(text, 0).code) && all_characters(text, is_identifier_part);
}

constexpr Member kMembers[] = {
    {.name = "upper", .method = change_case<LetterCase::kUpper>},
    {.name = "lower", .method = change_case<LetterCase::kLower>},
    {.name = "title", .method = change_case<LetterCase::kTitle>},
    {.name = "capitalize", .method = change_case<LetterCase::kCapitalized>},
    {.name = "swapcase", .method = change_case<LetterCase::kSwapped>},
    {.name = "casefold", .method = change_case<LetterCase::kFolded>},
    {.name = "islower", .method = ask<is_lower_text>},
    {.name = "isupper", .method = ask<is_upper_text>},
    {.name = "istitle", .method = ask<is_title_text>},
    {.name = "isalpha", .method = ask<some_and_all<is_letter>>},
    {.name = "isalnum", .method = ask<some_and_all<is_letter_or_number>>},
    {.name = "isdecimal", .method = ask<some_and_all<is_decimal>>},
    {.name = "isdigit", .method = ask<some_and_all<is_digit>>},
    {.name = "isnumeric", .method = ask<some_and_all<is_numeric>>},
    {.name = "isspace", .method = ask<some_and_all<is_space>>},
    {.name = "isprintable", .method = ask<is_printable_text>},
    {.name = "isascii", .method = ask<is_ascii>},
    {.name = "isidentifier", .method = ask<is_identifier>},
};

}  // namespace

std::span<const Member> text_case_members() { return kMembers; }

}  // namespace anneal::datasets::jinja
