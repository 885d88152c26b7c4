#pragma once
// Upper, lower and title case of a text, character by character, so that each keeps its origin.

#include "datasets/templates/jinja/text.h"

namespace anneal::datasets::jinja {

enum class LetterCase : uint8_t { kUpper, kLower, kTitle, kCapitalized, kSwapped, kFolded };

// As Python's str methods of these names. Keeps markup.
Value in_case(Heap& heap, const Value& text, LetterCase wanted);

// For comparing without regard to case: a text in lower case, anything else as it is.
Value without_case(Heap& heap, const Value& value);

}  // namespace anneal::datasets::jinja
