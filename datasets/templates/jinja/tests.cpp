// What may stand behind "is".

#include <fmt/format.h>

#include "datasets/templates/jinja/builtins.h"
#include "datasets/templates/jinja/containers.h"
#include "datasets/templates/jinja/evaluator.h"
#include "datasets/templates/jinja/iteration.h"
#include "datasets/templates/jinja/operators.h"
#include "datasets/templates/jinja/printing.h"

namespace anneal::datasets::jinja {
namespace {

void expect_none(const Arguments& arguments) { const Bound bound(arguments, "the test", {}); }

template <bool (*holds)(const Value&)>
bool ask(Evaluator&, const Value& subject, const Arguments& arguments) {
  expect_none(arguments);
  return holds(subject);
}

bool is_defined(const Value& value) { return !value.is_undefined(); }
bool is_undefined(const Value& value) { return value.is_undefined(); }
bool is_none(const Value& value) { return value.is_none(); }
bool is_boolean(const Value& value) { return value.is(Kind::kBool); }
bool is_false(const Value& value) { return value.is(Kind::kBool) && !value.truth_bit(); }
bool is_true_itself(const Value& value) { return value.is(Kind::kBool) && value.truth_bit(); }
bool is_integer(const Value& value) { return value.is(Kind::kInteger); }
bool is_float(const Value& value) { return value.is(Kind::kFloat); }
bool is_string(const Value& value) { return value.is_text(); }
bool is_mapping(const Value& value) { return value.is(Kind::kDict); }
bool is_number(const Value& value) { return value.is_number(); }
bool is_escaped(const Value& value) { return value.is_text() && value.is_markup(); }
bool is_sequence(const Value& value) {
  switch (value.kind()) {
    case Kind::kText:
    case Kind::kUndefined:
    case Kind::kList:
    case Kind::kTuple:
    case Kind::kDict:
    case Kind::kRange:
      return true;
    default:
      return false;
  }
}
bool is_callable(const Value& value) {
  switch (value.kind()) {
    case Kind::kUndefined:
    case Kind::kMacro:
    case Kind::kLoop:
    case Kind::kJoiner:
    case Kind::kMethod:
    case Kind::kFunction:
      return true;
    default:
      return false;
  }
}

// Goes to the method of str with the value's text.
template <bool upper>
bool is_in_case(Evaluator& evaluator, const Value& subject, const Arguments& arguments) {
  expect_none(arguments);
  const Member* member = find_member(Kind::kText, upper ? "isupper" : "islower");
  return member->method(evaluator, to_text(evaluator.heap(), subject), {}).truth_bit();
}

template <int rest>
bool is_odd_or_even(Evaluator& evaluator, const Value& subject, const Arguments& arguments) {
  expect_none(arguments);
  return are_equal(calculate(evaluator.heap(), Operator::kModulo, subject, Value::integer(2)), Value::integer(rest));
}

bool is_divisible(Evaluator& evaluator, const Value& subject, const Arguments& arguments) {
  const Bound bound(arguments, "divisibleby", {"num"}, 1);
  return are_equal(calculate(evaluator.heap(), Operator::kModulo, subject, *bound[0]), Value::integer(0));
}

bool is_filter(Evaluator&, const Value& subject, const Arguments& arguments) {
  expect_none(arguments);
  hash_of(subject);
  return subject.is_text() && find_filter(subject.as_text()) != nullptr;
}
bool is_test(Evaluator&, const Value& subject, const Arguments& arguments) {
  expect_none(arguments);
  hash_of(subject);
  return subject.is_text() && find_test(subject.as_text()) != nullptr;
}

bool is_same_as(Evaluator&, const Value& subject, const Arguments& arguments) {
  const Bound bound(arguments, "sameas", {"other"}, 1);
  return is_same(subject, *bound[0]);
}
bool is_in(Evaluator& evaluator, const Value& subject, const Arguments& arguments) {
  const Bound bound(arguments, "in", {"seq"}, 1);
  return contains(evaluator.heap(), *bound[0], subject);
}

template <bool wanted>
bool is_equal(Evaluator&, const Value& subject, const Arguments& arguments) {
  expect_positional(arguments, "eq", 1, 1);
  return are_equal(subject, arguments.positional[0]) == wanted;
}
template <Operator operation>
bool is_ordered(Evaluator& evaluator, const Value& subject, const Arguments& arguments) {
  expect_positional(arguments, "a comparison", 1, 1);
  return compare(evaluator.heap(), operation, subject, arguments.positional[0]);
}

constexpr NamedTest kTests[] = {
    {"odd", is_odd_or_even<1>},
    {"even", is_odd_or_even<0>},
    {"divisibleby", is_divisible},
    {"defined", ask<is_defined>},
    {"undefined", ask<is_undefined>},
    {"filter", is_filter},
    {"test", is_test},
    {"none", ask<is_none>},
    {"boolean", ask<is_boolean>},
    {"false", ask<is_false>},
    {"true", ask<is_true_itself>},
    {"integer", ask<is_integer>},
    {"float", ask<is_float>},
    {"lower", is_in_case<false>},
    {"upper", is_in_case<true>},
    {"string", ask<is_string>},
    {"mapping", ask<is_mapping>},
    {"number", ask<is_number>},
    {"sequence", ask<is_sequence>},
    {"iterable", ask<can_iterate>},
    {"callable", ask<is_callable>},
    {"sameas", is_same_as},
    {"escaped", ask<is_escaped>},
    {"in", is_in},
    {"==", is_equal<true>},
    {"eq", is_equal<true>},
    {"equalto", is_equal<true>},
    {"!=", is_equal<false>},
    {"ne", is_equal<false>},
    {">", is_ordered<Operator::kGreater>},
    {"gt", is_ordered<Operator::kGreater>},
    {"greaterthan", is_ordered<Operator::kGreater>},
    {">=", is_ordered<Operator::kGreaterEqual>},
    {"ge", is_ordered<Operator::kGreaterEqual>},
    {"<", is_ordered<Operator::kLess>},
    {"lt", is_ordered<Operator::kLess>},
    {"lessthan", is_ordered<Operator::kLess>},
    {"<=", is_ordered<Operator::kLessEqual>},
    {"le", is_ordered<Operator::kLessEqual>},
};

}  // namespace

std::span<const NamedTest> tests() { return kTests; }

}  // namespace anneal::datasets::jinja
