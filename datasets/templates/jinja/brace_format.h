#pragma once
// Python's "{} {name:>8}".format(…).

#include <string_view>

#include "datasets/templates/jinja/builtins.h"

namespace anneal::datasets::jinja {

// Keeps the origin of the format's letters and of texts put in. `names`: the dict of format_map, or missing.
Value brace_format(Evaluator& evaluator, const Value& format, const Arguments& arguments, const Value& names);

}  // namespace anneal::datasets::jinja
