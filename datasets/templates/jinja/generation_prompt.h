#pragma once
// What can be said about a template's generation prompt without rendering it.

#include "datasets/templates/jinja/ast.h"

namespace anneal::datasets::jinja {

// Whether add_generation_prompt adds one and the same text, whatever the messages are: it is asked about only by
// {% if add_generation_prompt %} outside of all loops and macros, and what stands in there depends on nothing that the
// template sets or that the messages hold. False where that cannot be told.
bool has_fixed_generation_prompt(Program& program);

}  // namespace anneal::datasets::jinja
