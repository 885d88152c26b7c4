#pragma once
// Python's operators on values.

#include "datasets/templates/jinja/ast.h"
#include "datasets/templates/jinja/containers.h"

namespace anneal::datasets::jinja {

// + - * / // % **. Throws Failure where Python raises.
Value calculate(Heap& heap, Operator operation, const Value& left, const Value& right);
Value negate(const Value& value);
Value plus(const Value& value);

// a < b; for the other three the operands or the result are turned around by the caller's choice of operator.
bool compare(Heap& heap, Operator operation, const Value& left, const Value& right);
inline bool is_less(Heap& heap, const Value& left, const Value& right) {
  return compare(heap, Operator::kLess, left, right);
}

// item in container
bool contains(Heap& heap, const Value& container, const Value& item);

// Python's `is`.
bool is_same(const Value& a, const Value& b);

}  // namespace anneal::datasets::jinja
