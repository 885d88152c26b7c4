#include "datasets/templates/jinja/text_case.h"

#include "datasets/templates/jinja/unicode.h"

namespace anneal::datasets::jinja {
namespace {

constexpr char32_t kCapitalSigma = 0x3A3;

// A capital sigma becomes another letter at the end of a word.
bool ends_word(std::string_view text, std::size_t begin, std::size_t end) {
  std::size_t at = begin;
  bool follows_letter = false;
  while (at > 0) {
    const Character before = character_before(text, at);
    at -= before.size;
    if (is_case_ignorable(before.code)) continue;
    follows_letter = is_cased(before.code);
    break;
  }
  if (!follows_letter) return false;
  for (at = end; at < text.size();) {
    const Character after = character_at(text, at);
    at += after.size;
    if (is_case_ignorable(after.code)) continue;
    return !is_cased(after.code);
  }
  return true;
}

class CaseMapper {
 public:
  CaseMapper(std::string_view text, LetterCase wanted) : text_(text), wanted_(wanted) {}

  // Appends the mapping of the character at `at`; to be called in order.
  void map(std::string& out, std::size_t at, Character character) {
    const char32_t code = character.code;
    switch (wanted_) {
      case LetterCase::kUpper:
        return append_upper(out, code);
      case LetterCase::kLower:
        return lower(out, at, character);
      case LetterCase::kTitle:
        if (follows_cased_) {
          lower(out, at, character);
        } else {
          append_title(out, code);
        }
        follows_cased_ = is_cased(code);
        return;
      case LetterCase::kCapitalized:
        return at == 0 ? append_title(out, code) : lower(out, at, character);
      case LetterCase::kSwapped:
        if (is_upper(code)) return lower(out, at, character);
        return is_lower(code) ? append_upper(out, code) : append_character(out, code);
      case LetterCase::kFolded:
        return append_folded(out, code);
    }
  }

 private:
  void lower(std::string& out, std::size_t at, Character character) {
    if (character.code == kCapitalSigma) {
      return append_character(out, ends_word(text_, at, at + character.size) ? 0x3C2 : 0x3C3);
    }
    append_lower(out, character.code);
  }

  std::string_view text_;
  LetterCase wanted_;
  bool follows_cased_ = false;
};

}  // namespace

Value in_case(Heap& heap, const Value& text, LetterCase wanted) {
  const std::string_view bytes = text.as_text();
  CaseMapper mapper(bytes, wanted);
  TextBuilder builder(heap);
  std::size_t at = 0;
  std::string mapped;
  for_each_stretch(text, [&](std::string_view stretch, const Mark& mark) {
    const std::size_t end = at + stretch.size();
    mapped.clear();
    while (at < end) {
      const Character character = character_at(bytes, at);
      mapper.map(mapped, at, character);
      at += character.size;
    }
    builder.append(mapped, mark);
  });
  return builder.take().with_markup(text.is_markup());
}

Value without_case(Heap& heap, const Value& value) {
  return value.is_text() ? in_case(heap, value, LetterCase::kLower) : value;
}

}  // namespace anneal::datasets::jinja
