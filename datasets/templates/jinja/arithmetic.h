#pragma once
// Python's arithmetic: whole numbers that are refused when they become too large, floor division, modulo with the
// divisor's sign, exact comparison of int with float.

#include "datasets/templates/jinja/ast.h"

namespace anneal::datasets::jinja {

Value calculate_numbers(Operator operation, const Value& left, const Value& right);
bool compare_numbers(Operator operation, const Value& left, const Value& right);

// round(): to `digits` places behind the point, halves of a float to the even neighbour. Negative digits: before it.
Value round_number(const Value& number, Integer digits);

}  // namespace anneal::datasets::jinja
