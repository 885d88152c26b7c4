#pragma once
// json.dumps of Python.

#include <string>

#include "datasets/templates/jinja/value.h"

namespace anneal::datasets::jinja {

struct JsonStyle {
  bool ascii_only = false;
  bool sort_keys = false;
  bool is_indented = false;
  std::string indent;
  std::string item_separator = ", ";
  std::string key_separator = ": ";
};

// Of one origin as a whole. Throws Failure for what JSON cannot hold.
Value json_text(Heap& heap, const Value& value, const JsonStyle& style);

}  // namespace anneal::datasets::jinja
