// The members of list, tuple, dict, range, int, float and of cycler(). What would change a list or dict is unsafe.

#include <algorithm>
#include <bit>
#include <cmath>

#include "datasets/templates/jinja/builtins.h"
#include "datasets/templates/jinja/containers.h"
#include "datasets/templates/jinja/evaluator.h"
#include "datasets/templates/jinja/iteration.h"

namespace anneal::datasets::jinja {
namespace {

Value count(Evaluator& evaluator, const Value& subject, const Arguments& arguments) {
  expect_positional(arguments, "count", 1, 1);
  Integer times = 0;
  Iteration iteration(evaluator.heap(), subject);
  for (Value item; iteration.next(item);) times += are_equal(item, arguments.positional[0]) ? 1 : 0;
  return Value::integer(times);
}

Value index(Evaluator& evaluator, const Value& subject, const Arguments& arguments) {
  expect_positional(arguments, "index", 1, 3);
  const std::vector<Value> items = items_of(evaluator.heap(), subject);
  const auto size = static_cast<Integer>(items.size());
  const auto place = [&](std::size_t which, Integer fallback) {
    if (arguments.positional.size() <= which) return fallback;
    const Integer given = integer_argument(arguments.positional[which], "index");
    return std::clamp<Integer>(given < 0 ? given + size : given, 0, size);
  };
  for (Integer i = place(1, 0); i < place(2, size); ++i) {
    evaluator.heap().charge_steps(1);
    if (are_equal(items[static_cast<std::size_t>(i)], arguments.positional[0])) return Value::integer(i);
  }
  throw Failure("the value is not in the list");
}

Value copy_list(Evaluator&, const Value& subject, const Arguments& arguments) {
  expect_positional(arguments, "copy", 0, 0);
  return subject;  // lists never change
}

Value get(Evaluator&, const Value& subject, const Arguments& arguments) {
  expect_positional(arguments, "get", 1, 2);
  const Value& key = arguments.positional[0];
  const auto& dict = subject.as<DictBody>();
  const Value* found = key.is_text() ? dict.find(key.as_text()) : dict.find(key);
  if (found != nullptr) return *found;
  return arguments.positional.size() > 1 ? arguments.positional[1] : Value::none();
}

template <DictViewBody::Part part>
Value view(Evaluator&, const Value& subject, const Arguments& arguments) {
  expect_positional(arguments, "a view of a dict", 0, 0);
  return make<DictViewBody>(Kind::kDictView, subject, part);
}

template <const Integer RangeBody::* bound>
Value range_bound(Evaluator&, const Value& subject) {
  return Value::integer(subject.as<RangeBody>().*bound);
}

Value same_integer(Evaluator&, const Value& subject) { return Value::integer(subject.as_integer()); }
template <int number>
Value fixed_integer(Evaluator&, const Value&) {
  return Value::integer(number);
}
template <bool ones>
Value count_bits(Evaluator&, const Value& subject, const Arguments& arguments) {
  expect_positional(arguments, "counting bits", 0, 0);
  const Integer number = subject.as_integer();
  const Integer size = number < 0 ? -(number + 1) + 1 : number;
  const auto low = static_cast<uint64_t>(size);
  const auto high = static_cast<uint64_t>(size >> 64);
  if (ones) return Value::integer(std::popcount(low) + std::popcount(high));
  return Value::integer(high != 0 ? 64 + std::bit_width(high) : std::bit_width(low));
}
Value conjugate(Evaluator&, const Value& subject, const Arguments& arguments) {
  expect_positional(arguments, "conjugate", 0, 0);
  return subject.is(Kind::kFloat) ? subject : Value::integer(subject.as_integer());
}

Value same_float(Evaluator&, const Value& subject) { return subject; }
Value zero_float(Evaluator&, const Value&) { return Value::real(0.0); }
Value is_whole(Evaluator&, const Value& subject, const Arguments& arguments) {
  expect_positional(arguments, "is_integer", 0, 0);
  return Value::boolean(std::isfinite(subject.as_real()) && std::floor(subject.as_real()) == subject.as_real());
}

Value cycler_next(Evaluator&, const Value& subject, const Arguments& arguments) {
  expect_positional(arguments, "next", 0, 0);
  auto& cycler = subject.as<CyclerBody>();
  const Value item = cycler.items[cycler.at];
  cycler.at = (cycler.at + 1) % cycler.items.size();
  return item;
}
Value cycler_reset(Evaluator&, const Value& subject, const Arguments& arguments) {
  expect_positional(arguments, "reset", 0, 0);
  subject.as<CyclerBody>().at = 0;
  return Value::none();
}
Value cycler_current(Evaluator&, const Value& subject) {
  const auto& cycler = subject.as<CyclerBody>();
  return cycler.items[cycler.at];
}
Value cycler_place(Evaluator&, const Value& subject) {
  return Value::integer(static_cast<Integer>(subject.as<CyclerBody>().at));
}
Value cycler_items(Evaluator& evaluator, const Value& subject) {
  return make_tuple(evaluator.heap(), subject.as<CyclerBody>().items);
}

constexpr Member unsafe(std::string_view name) { return {.name = name, .is_unsafe = true}; }

constexpr Member kListMembers[] = {
    {.name = "count", .method = count},
    {.name = "index", .method = index},
    {.name = "copy", .method = copy_list},
    unsafe("append"),
    unsafe("clear"),
    unsafe("pop"),
    unsafe("reverse"),
    unsafe("insert"),
    unsafe("sort"),
    unsafe("extend"),
    unsafe("remove"),
};
constexpr Member kTupleMembers[] = {{.name = "count", .method = count}, {.name = "index", .method = index}};
constexpr Member kDictMembers[] = {
    {.name = "get", .method = get},
    {.name = "keys", .method = view<DictViewBody::Part::kKeys>},
    {.name = "values", .method = view<DictViewBody::Part::kValues>},
    {.name = "items", .method = view<DictViewBody::Part::kItems>},
    {.name = "copy", .method = copy_list},
    unsafe("clear"),
    unsafe("pop"),
    unsafe("popitem"),
    unsafe("setdefault"),
    unsafe("update"),
};
constexpr Member kRangeMembers[] = {
    {.name = "start", .property = range_bound<&RangeBody::start>},
    {.name = "stop", .property = range_bound<&RangeBody::stop>},
    {.name = "step", .property = range_bound<&RangeBody::step>},
    {.name = "count", .method = count},
    {.name = "index", .method = index},
};
constexpr Member kIntegerMembers[] = {
    {.name = "real", .property = same_integer},          {.name = "imag", .property = fixed_integer<0>},
    {.name = "numerator", .property = same_integer},     {.name = "denominator", .property = fixed_integer<1>},
    {.name = "bit_length", .method = count_bits<false>}, {.name = "bit_count", .method = count_bits<true>},
    {.name = "conjugate", .method = conjugate},
};
constexpr Member kFloatMembers[] = {
    {.name = "real", .property = same_float},
    {.name = "imag", .property = zero_float},
    {.name = "is_integer", .method = is_whole},
    {.name = "conjugate", .method = conjugate},
};
constexpr Member kCyclerMembers[] = {
    {.name = "next", .method = cycler_next},         {.name = "reset", .method = cycler_reset},
    {.name = "current", .property = cycler_current}, {.name = "pos", .property = cycler_place},
    {.name = "items", .property = cycler_items},
};

}  // namespace

std::span<const Member> list_members() { return kListMembers; }
std::span<const Member> tuple_members() { return kTupleMembers; }
std::span<const Member> dict_members() { return kDictMembers; }
std::span<const Member> range_members() { return kRangeMembers; }
std::span<const Member> integer_members() { return kIntegerMembers; }
std::span<const Member> float_members() { return kFloatMembers; }
std::span<const Member> cycler_members() { return kCyclerMembers; }

}  // namespace anneal::datasets::jinja
