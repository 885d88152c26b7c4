#include "datasets/templates/jinja/operators.h"

#include <fmt/format.h>

#include "datasets/templates/jinja/arithmetic.h"
#include "datasets/templates/jinja/iteration.h"
#include "datasets/templates/jinja/markup.h"
#include "datasets/templates/jinja/percent_format.h"
#include "datasets/templates/jinja/text.h"

namespace anneal::datasets::jinja {
namespace {

std::string_view sign_of(Operator operation) {
  switch (operation) {
    case Operator::kAdd:
      return "+";
    case Operator::kSubtract:
      return "-";
    case Operator::kMultiply:
      return "*";
    case Operator::kDivide:
      return "/";
    case Operator::kFloorDivide:
      return "//";
    case Operator::kModulo:
      return "%";
    case Operator::kPower:
      return "** or pow()";
    case Operator::kLess:
      return "<";
    case Operator::kLessEqual:
      return "<=";
    case Operator::kGreater:
      return ">";
    case Operator::kGreaterEqual:
      return ">=";
    default:
      return "?";
  }
}

[[noreturn]] void fail_operands(Operator operation, const Value& left, const Value& right) {
  if (left.is_undefined()) fail_undefined(left);
  if (right.is_undefined()) fail_undefined(right);
  if (operation == Operator::kAdd && left.is_text()) {
    throw Failure(fmt::format("can only concatenate str (not \"{}\") to str", type_name(right)));
  }
  throw Failure(fmt::format("unsupported operand types for {}: '{}' and '{}'", sign_of(operation), type_name(left),
                            type_name(right)));
}

Value concatenate(Heap& heap, const Value& left, const Value& right) {
  TextBuilder builder(heap);
  const bool markup = left.is_markup() || right.is_markup();
  builder.append(markup ? escape(heap, left) : left);
  builder.append(markup ? escape(heap, right) : right);
  return builder.take().with_markup(markup);
}

Value join_lists(Heap& heap, const Value& left, const Value& right) {
  std::vector<Value> items;
  const auto& first = left.as<ListBody>().items;
  const auto& second = right.as<ListBody>().items;
  heap.check_room((first.size() + second.size()) * sizeof(Value));
  items.reserve(first.size() + second.size());
  items.insert(items.end(), first.begin(), first.end());
  items.insert(items.end(), second.begin(), second.end());
  return make<ListBody>(left.kind(), heap, std::move(items));
}

// A text or list as often as the number says.
Value repeat(Heap& heap, const Value& value, Integer times) {
  if (times < 0) times = 0;
  constexpr Integer kMany = Integer{1} << 40;
  if (value.is_text()) {
    if (value.as_text().empty()) times = 0;
    heap.check_text(static_cast<std::size_t>(std::min(times, kMany)) * value.as_text().size());
    TextBuilder builder(heap);
    for (Integer i = 0; i < times; ++i) {
      heap.charge_steps(1);
      builder.append(value);
    }
    return builder.take().with_markup(value.is_markup());
  }
  const auto& items = value.as<ListBody>().items;
  if (items.empty()) times = 0;
  heap.check_room(static_cast<std::size_t>(std::min(times, kMany)) * items.size() * sizeof(Value));
  std::vector<Value> repeated;
  for (Integer i = 0; i < times; ++i) repeated.insert(repeated.end(), items.begin(), items.end());
  return make<ListBody>(value.kind(), heap, std::move(repeated));
}

bool is_sequence(const Value& value) { return value.is_text() || value.is(Kind::kList) || value.is(Kind::kTuple); }

bool holds(Operator operation, int order) {  // order: -1, 0, 1
  switch (operation) {
    case Operator::kLess:
      return order < 0;
    case Operator::kLessEqual:
      return order <= 0;
    case Operator::kGreater:
      return order > 0;
    default:
      return order >= 0;
  }
}

}  // namespace

Value calculate(Heap& heap, Operator operation, const Value& left, const Value& right) {
  if (left.is_number() && right.is_number()) return calculate_numbers(operation, left, right);
  switch (operation) {
    case Operator::kAdd:
      if (left.is_text() && right.is_text()) return concatenate(heap, left, right);
      if ((left.is(Kind::kList) || left.is(Kind::kTuple)) && left.kind() == right.kind()) {
        return join_lists(heap, left, right);
      }
      break;
    case Operator::kMultiply:
      if (is_sequence(left) && right.is_integral()) return repeat(heap, left, right.as_integer());
      if (left.is_integral() && is_sequence(right)) return repeat(heap, right, left.as_integer());
      break;
    case Operator::kModulo:
      if (left.is_text()) return percent_format(heap, left, right);
      break;
    default:
      break;
  }
  fail_operands(operation, left, right);
}

Value negate(const Value& value) {
  if (value.is(Kind::kFloat)) return Value::real(-value.as_real());
  if (value.is_integral()) return calculate_numbers(Operator::kSubtract, Value::integer(0), value);
  if (value.is_undefined()) fail_undefined(value);
  throw Failure(fmt::format("bad operand type for unary -: '{}'", type_name(value)));
}

Value plus(const Value& value) {
  if (value.is(Kind::kFloat)) return value;
  if (value.is_integral()) return Value::integer(value.as_integer());
  if (value.is_undefined()) fail_undefined(value);
  throw Failure(fmt::format("bad operand type for unary +: '{}'", type_name(value)));
}

bool compare(Heap& heap, Operator operation, const Value& left, const Value& right) {
  if (left.is_number() && right.is_number()) return compare_numbers(operation, left, right);
  if (left.is_text() && right.is_text()) {
    // The order of UTF-8 bytes is the order of code points.
    const int order = left.as_text().compare(right.as_text());
    heap.charge_bytes(left.as_text().size());
    return holds(operation, order < 0 ? -1 : order > 0 ? 1 : 0);
  }
  const bool lists = (left.is(Kind::kList) || left.is(Kind::kTuple)) && left.kind() == right.kind();
  if (!lists) {
    if (left.is_undefined()) fail_undefined(left);
    if (right.is_undefined()) fail_undefined(right);
    throw Failure(fmt::format("'{}' not supported between instances of '{}' and '{}'", sign_of(operation),
                              type_name(left), type_name(right)));
  }
  const auto& a = left.as<ListBody>().items;
  const auto& b = right.as<ListBody>().items;
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i) {
    heap.charge_steps(1);
    if (!are_equal(a[i], b[i])) return compare(heap, operation, a[i], b[i]);
  }
  return holds(operation, a.size() < b.size() ? -1 : a.size() > b.size() ? 1 : 0);
}

bool contains(Heap& heap, const Value& container, const Value& item) {
  switch (container.kind()) {
    case Kind::kUndefined:
      return false;
    case Kind::kText:
      if (!item.is_text()) {
        throw Failure(fmt::format("'in <string>' requires string as left operand, not {}", type_name(item)));
      }
      heap.charge_bytes(container.as_text().size());
      return find_bytes(container.as_text(), item.as_text()) != std::string_view::npos;
    case Kind::kDict:
      return container.as<DictBody>().find(item) != nullptr;
    case Kind::kRange: {
      const auto& range = container.as<RangeBody>();
      if (!item.is_number()) return false;
      if (item.is(Kind::kFloat)) break;
      Integer offset = 0;
      if (__builtin_sub_overflow(item.as_integer(), range.start, &offset)) return false;
      return offset % range.step == 0 && offset / range.step >= 0 && offset / range.step < range.size();
    }
    case Kind::kList:
    case Kind::kTuple:
    case Kind::kDictView:
    case Kind::kIterator:
      break;
    default:
      throw Failure(fmt::format("argument of type '{}' is not iterable", type_name(container)));
  }
  Iteration iteration(heap, container);
  for (Value candidate; iteration.next(candidate);) {
    if (are_equal(candidate, item)) return true;
  }
  return false;
}

bool is_same(const Value& a, const Value& b) {
  if (a.kind() != b.kind()) return false;
  switch (a.kind()) {
    case Kind::kMissing:
    case Kind::kNone:
      return true;
    case Kind::kBool:
    case Kind::kInteger:
      return a.as_integer() == b.as_integer();
    case Kind::kFloat:
      return a.as_real() == b.as_real();
    case Kind::kText:
      return a.as_text() == b.as_text();
    case Kind::kUndefined:
      return false;
    default:
      return a.owner() == b.owner();
  }
}

}  // namespace anneal::datasets::jinja
