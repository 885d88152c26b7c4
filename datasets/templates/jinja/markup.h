#pragma once
// Markup: a text that counts as HTML already, as the filter safe makes it. Joined with plain texts, it has them
// escaped.

#include "datasets/templates/jinja/text.h"

namespace anneal::datasets::jinja {

// Markup as it is; anything else as text with & < > ' " written as entities. Keeps the origin of every letter.
Value escape(Heap& heap, const Value& value);

}  // namespace anneal::datasets::jinja
