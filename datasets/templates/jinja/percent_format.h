#pragma once
// Python's "…%s…" % values.

#include "datasets/templates/jinja/value.h"

namespace anneal::datasets::jinja {

// `values`: a tuple, a dict for %(name)s, or one value. Keeps the origin of the format's letters and of texts put in.
Value percent_format(Heap& heap, const Value& format, const Value& values);

}  // namespace anneal::datasets::jinja
