#include <fmt/format.h>

#include "datasets/templates/jinja/containers.h"
#include "datasets/templates/jinja/evaluator.h"
#include "datasets/templates/jinja/iteration.h"
#include "datasets/templates/jinja/method.h"
#include "datasets/templates/jinja/operators.h"
#include "datasets/templates/jinja/printing.h"
#include "datasets/templates/jinja/stack_guard.h"
#include "kernels/core/error.h"

namespace anneal::datasets::jinja {

Value Evaluator::evaluate(const Expression& expression, Frame& frame) {
  heap_.charge_steps(1);
  check_stack(stack_begin_);
  switch (expression.kind) {
    case ExpressionKind::kConstant:
      return static_cast<const Constant&>(expression).value;
    case ExpressionKind::kName:
      return evaluate_name(static_cast<const Name&>(expression), frame);
    case ExpressionKind::kList:
      return make_list(heap_, evaluate_all(static_cast<const Sequence&>(expression).items, frame));
    case ExpressionKind::kTuple:
      return make_tuple(heap_, evaluate_all(static_cast<const Sequence&>(expression).items, frame));
    case ExpressionKind::kDict:
      return evaluate_dict(static_cast<const DictLiteral&>(expression), frame);
    case ExpressionKind::kAttribute: {
      const auto& node = static_cast<const Attribute&>(expression);
      const Value base = evaluate(*node.base, frame);
      line_ = node.line;
      return attribute(base, Value::text(node.name));
    }
    case ExpressionKind::kItem: {
      const auto& node = static_cast<const Item&>(expression);
      const Value base = evaluate(*node.base, frame);
      const Value index = evaluate(*node.index, frame);
      line_ = node.line;
      return item(base, index);
    }
    case ExpressionKind::kSlice:
      return evaluate_slice(static_cast<const Slice&>(expression), frame);
    case ExpressionKind::kCall:
      return evaluate_call(static_cast<const Call&>(expression), frame);
    case ExpressionKind::kFilter:
      return evaluate_filter(static_cast<const FilterCall&>(expression), frame);
    case ExpressionKind::kTest:
      return Value::boolean(evaluate_test(static_cast<const TestCall&>(expression), frame));
    case ExpressionKind::kUnary: {
      const auto& node = static_cast<const Unary&>(expression);
      const Value operand = evaluate(*node.operand, frame);
      if (node.operation == Operator::kNot) return Value::boolean(!is_true(operand));
      line_ = node.line;
      return node.operation == Operator::kNegate ? negate(operand) : plus(operand);
    }
    case ExpressionKind::kBinary: {
      const auto& node = static_cast<const Binary&>(expression);
      const Value left = evaluate(*node.left, frame);
      const Value right = evaluate(*node.right, frame);
      line_ = node.line;
      return calculate(heap_, node.operation, left, right);
    }
    case ExpressionKind::kConcat:
      return evaluate_concat(static_cast<const Sequence&>(expression), frame);
    case ExpressionKind::kCompare:
      return evaluate_compare(static_cast<const Compare&>(expression), frame);
    case ExpressionKind::kAnd:
    case ExpressionKind::kOr: {
      const auto& node = static_cast<const Binary&>(expression);
      Value left = evaluate(*node.left, frame);
      if (is_true(left) == (expression.kind == ExpressionKind::kOr)) return left;
      return evaluate(*node.right, frame);
    }
    case ExpressionKind::kConditional: {
      const auto& node = static_cast<const Conditional&>(expression);
      if (is_true(evaluate(*node.test, frame))) return evaluate(*node.value, frame);
      if (node.otherwise) return evaluate(*node.otherwise, frame);
      return Value::undefined(UndefinedReason::kHint,
                              Value::text("an inline if was false and has no else, so its value is undefined"));
    }
  }
  throw InternalError("internal fault: an expression of no known kind");
}

Value Evaluator::evaluate_name(const Name& node, Frame& frame) {
  const Value& value = at(node.slot, frame);
  return value.is_missing() ? Value::undefined(UndefinedReason::kName, Value::text(node.name)) : value;
}

std::vector<Value> Evaluator::evaluate_all(const std::vector<ExpressionPointer>& nodes, Frame& frame) {
  std::vector<Value> values;
  values.reserve(nodes.size());
  for (const auto& node : nodes) values.push_back(evaluate(*node, frame));
  return values;
}

Value Evaluator::evaluate_dict(const DictLiteral& node, Frame& frame) {
  auto* body = new DictBody(heap_);
  Value dict = Value::object(Kind::kDict, body);
  body->reserve(node.entries.size());
  for (const auto& [key, value] : node.entries) {
    const Value key_value = evaluate(*key, frame);
    body->set(key_value, evaluate(*value, frame));
  }
  return dict;
}

Value Evaluator::evaluate_concat(const Sequence& node, Frame& frame) {
  TextBuilder builder(heap_);
  for (const auto& item : node.items) builder.append(to_text(heap_, evaluate(*item, frame)));
  return builder.take();
}

// a < b < c is a < b and b < c, with b evaluated once.
Value Evaluator::evaluate_compare(const Compare& node, Frame& frame) {
  Value left = evaluate(*node.first, frame);
  for (const auto& [operation, expression] : node.rest) {
    Value right = evaluate(*expression, frame);
    line_ = node.line;
    bool holds = false;
    switch (operation) {
      case Operator::kEqual:
        holds = are_equal(left, right);
        break;
      case Operator::kNotEqual:
        holds = !are_equal(left, right);
        break;
      case Operator::kIn:
        holds = contains(heap_, right, left);
        break;
      case Operator::kNotIn:
        holds = !contains(heap_, right, left);
        break;
      default:
        holds = compare(heap_, operation, left, right);
        break;
    }
    if (!holds) return Value::boolean(false);
    left = std::move(right);
  }
  return Value::boolean(true);
}

Arguments Evaluator::evaluate_arguments(const ArgumentList& list, Frame& frame) {
  Arguments arguments;
  arguments.positional = evaluate_all(list.positional, frame);
  for (const auto& [name, expression] : list.named) {
    arguments.named.emplace_back(Value::text(name), evaluate(*expression, frame));
  }
  if (list.all_positional) {
    const Value more = evaluate(*list.all_positional, frame);
    for (Value& value : items_of(heap_, more)) arguments.positional.push_back(std::move(value));
  }
  if (list.all_named) {
    const Value more = evaluate(*list.all_named, frame);
    if (more.is_undefined()) fail_undefined(more);
    if (!more.is(Kind::kDict))
      throw Failure(fmt::format("argument after ** must be a mapping, not {}", type_name(more)));
    for (const auto& [name, value] : more.as<DictBody>().entries()) {
      if (!name.is_text()) throw Failure("keywords must be strings");
      for (const auto& [known, other] : arguments.named) {
        if (known.as_text() == name.as_text()) {
          throw Failure(fmt::format("got multiple values for keyword argument '{}'", printable(name.as_text())));
        }
      }
      arguments.named.emplace_back(name, value);
    }
  }
  return arguments;
}

Value Evaluator::evaluate_call(const Call& node, Frame& frame, const Value* caller) {
  // "x.strip()" needs no value for the method in between.
  const Member* direct = nullptr;
  Value subject;
  Value callee;
  if (node.callee->kind == ExpressionKind::kAttribute) {
    const auto& attribute_node = static_cast<const Attribute&>(*node.callee);
    subject = evaluate(*attribute_node.base, frame);
    line_ = attribute_node.line;
    if (!subject.is(Kind::kNamespace) && !subject.is_undefined()) {
      direct = find_member(subject.kind(), attribute_node.name);
      if (direct != nullptr && direct->method == nullptr) direct = nullptr;
    }
    if (direct == nullptr) callee = attribute(subject, Value::text(attribute_node.name));
  } else {
    callee = evaluate(*node.callee, frame);
  }
  Arguments arguments = evaluate_arguments(node.arguments, frame);
  if (caller != nullptr) arguments.named.emplace_back(Value::text("caller"), *caller);
  line_ = node.line;
  return direct != nullptr ? direct->method(*this, subject, arguments) : call(callee, arguments);
}

Value Evaluator::evaluate_filter(const FilterCall& node, Frame& frame) {
  if (node.function == nullptr) throw Failure(fmt::format("no filter named '{}'", printable(node.name)));
  const Value subject = node.subject ? evaluate(*node.subject, frame) : *buffered_;
  const Arguments arguments = evaluate_arguments(node.arguments, frame);
  line_ = node.line;
  return node.function(*this, subject, arguments);
}

bool Evaluator::evaluate_test(const TestCall& node, Frame& frame) {
  if (node.function == nullptr) throw Failure(fmt::format("no test named '{}'", printable(node.name)));
  const Value subject = evaluate(*node.subject, frame);
  const Arguments arguments = evaluate_arguments(node.arguments, frame);
  line_ = node.line;
  return node.function(*this, subject, arguments);
}

}  // namespace anneal::datasets::jinja
