// Filters that look into a sequence, or make one at once.

#include <fmt/format.h>

#include <algorithm>

#include "datasets/templates/jinja/attribute_path.h"
#include "datasets/templates/jinja/builtins.h"
#include "datasets/templates/jinja/containers.h"
#include "datasets/templates/jinja/evaluator.h"
#include "datasets/templates/jinja/iteration.h"
#include "datasets/templates/jinja/operators.h"
#include "datasets/templates/jinja/printing.h"
#include "datasets/templates/jinja/text.h"
#include "datasets/templates/jinja/unicode.h"

namespace anneal::datasets::jinja {
namespace {

Value undefined(std::string_view hint) { return Value::undefined(UndefinedReason::kHint, Value::text(hint)); }

Value length(Evaluator& evaluator, const Value& subject, const Arguments& arguments) {
  const Bound bound(arguments, "length", {});
  return Value::integer(length_or_fail(evaluator.heap(), subject));
}

Value first(Evaluator& evaluator, const Value& subject, const Arguments& arguments) {
  const Bound bound(arguments, "first", {});
  Value item;
  if (Iteration(evaluator.heap(), subject).next(item)) return item;
  return undefined("No first item, sequence was empty.");
}

// Python's reversed(); nothing: TypeError.
std::optional<std::vector<Value>> reversed(Heap& heap, const Value& value) {
  switch (value.kind()) {
    case Kind::kText:
    case Kind::kUndefined:
    case Kind::kList:
    case Kind::kTuple:
    case Kind::kDict:
    case Kind::kDictView:
    case Kind::kRange: {
      std::vector<Value> items = items_of(heap, value);
      std::reverse(items.begin(), items.end());
      return items;
    }
    default:
      return std::nullopt;
  }
}

Value last(Evaluator& evaluator, const Value& subject, const Arguments& arguments) {
  const Bound bound(arguments, "last", {});
  if (subject.is(Kind::kText) && !subject.as_text().empty()) {
    const std::string_view text = subject.as_text();
    return part_of(subject, text.size() - character_before(text, text.size()).size, text.size());
  }
  const auto items = reversed(evaluator.heap(), subject);
  if (!items) throw Failure(fmt::format("'{}' object is not reversible", type_name(subject)));
  return items->empty() ? undefined("No last item, sequence was empty.") : items->front();
}

// The items in the given order, to be read once.
class ReadOnce : public IteratorBody {
 public:
  ReadOnce(Heap& heap, std::vector<Value> items)
      : IteratorBody(heap, sizeof(ReadOnce) + items.capacity() * sizeof(Value)), items_(std::move(items)) {
    for (const Value& item : items_) nesting = std::max(nesting, nesting_of(item) + 1);
  }
  bool next(Value& item) override {
    if (at_ == items_.size()) return false;
    item = items_[at_++];
    return true;
  }

 private:
  const std::vector<Value> items_;
  std::size_t at_ = 0;
};

Value reverse(Evaluator& evaluator, const Value& subject, const Arguments& arguments) {
  const Bound bound(arguments, "reverse", {});
  Heap& heap = evaluator.heap();
  if (subject.is_text()) {
    TextBuilder builder(heap);
    const std::string_view text = subject.as_text();
    for (std::size_t end = text.size(); end > 0;) {
      const std::size_t size = character_before(text, end).size;
      builder.append(part_of(subject, end - size, end));
      end -= size;
    }
    return builder.take().with_markup(subject.is_markup());
  }
  if (auto items = reversed(heap, subject)) return make<ReadOnce>(Kind::kIterator, heap, std::move(*items));
  if (!can_iterate(subject)) throw Failure("argument must be iterable");
  std::vector<Value> items = items_of(heap, subject);
  std::reverse(items.begin(), items.end());
  return make_list(heap, std::move(items));
}

Value list(Evaluator& evaluator, const Value& subject, const Arguments& arguments) {
  const Bound bound(arguments, "list", {});
  return make_list(evaluator.heap(), items_of(evaluator.heap(), subject));
}

Value sum(Evaluator& evaluator, const Value& subject, const Arguments& arguments) {
  const Bound bound(arguments, "sum", {"attribute", "start"});
  Heap& heap = evaluator.heap();
  const AttributePath path(bound[0] == nullptr ? Value::none() : *bound[0]);
  Value total = bound[1] == nullptr ? Value::integer(0) : *bound[1];
  if (total.is_text()) throw Failure("sum() can't sum strings");
  Iteration iteration(heap, subject);
  for (Value item; iteration.next(item);) total = calculate(heap, Operator::kAdd, total, path.of(evaluator, item));
  return total;
}

Value fallback(Evaluator&, const Value& subject, const Arguments& arguments) {
  const Bound bound(arguments, "default", {"default_value", "boolean"});
  const bool is_absent = subject.is_undefined() || (truth_or(bound[1], false) && !is_true(subject));
  if (!is_absent) return subject;
  return bound[0] == nullptr ? Value::text({}) : *bound[0];
}

Value attribute(Evaluator& evaluator, const Value& subject, const Arguments& arguments) {
  const Bound bound(arguments, "attr", {"name"}, 1);
  text_argument(*bound[0], "attr");
  return evaluator.member(subject, *bound[0]);
}

constexpr NamedBuiltin kFilters[] = {
    {"length", length}, {"count", length}, {"first", first}, {"last", last},        {"reverse", reverse},
    {"list", list},     {"sum", sum},      {"d", fallback},  {"default", fallback}, {"attr", attribute},
};

}  // namespace

std::span<const NamedBuiltin> sequence_filters() { return kFilters; }

}  // namespace anneal::datasets::jinja
