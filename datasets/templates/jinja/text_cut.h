#pragma once
// Stripping, splitting, replacing and joining of texts. Every byte keeps its origin.

#include <vector>

#include "datasets/templates/jinja/text.h"

namespace anneal::datasets::jinja {

// str.strip: the characters of `wanted`, or white space if that is missing or None.
Value strip(Heap& heap, const Value& text, const Value& wanted, bool left, bool right);

// str.split and str.rsplit: at white space if `separator` is missing or None. most < 0: everywhere.
std::vector<Value> split(Heap& heap, const Value& text, const Value& separator, Integer most);
std::vector<Value> split_from_right(Heap& heap, const Value& text, const Value& separator, Integer most);
std::vector<Value> split_lines(Heap& heap, const Value& text, bool keep_ends);

// str.replace; most < 0: all.
Value replace(Heap& heap, const Value& text, std::string_view old, const Value& replacement, Integer most);

// separator.join(texts); all are texts.
Value join(Heap& heap, const Value& separator, const std::vector<Value>& texts);

}  // namespace anneal::datasets::jinja
