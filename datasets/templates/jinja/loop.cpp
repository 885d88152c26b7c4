#include "datasets/templates/jinja/loop.h"

#include "datasets/templates/jinja/builtins.h"
#include "datasets/templates/jinja/text.h"

namespace anneal::datasets::jinja {

bool LoopBody::read(Value& item) {
  if (is_at_end_ || !iteration_.next(item)) {
    is_at_end_ = true;
    return false;
  }
  return true;
}

bool LoopBody::advance() {
  Value item = std::move(after_);
  after_ = Value();
  if (item.is_missing() && !read(item)) return false;
  ++index0;
  before = std::move(current);
  current = std::move(item);
  return true;
}

Integer LoopBody::length() {
  if (length_ >= 0) return length_;
  if (const auto known = length_of(heap(), iterable_)) return length_ = *known;
  std::vector<Value> rest;
  for (Value item; read(item);) add_item(heap(), rest, std::move(item));
  length_ = static_cast<Integer>(rest.size()) + index0 + 1 + (after_.is_missing() ? 0 : 1);
  iteration_ = Iteration(heap(), make_list(heap(), std::move(rest)));
  is_at_end_ = false;
  return length_;
}

const Value& LoopBody::peek() {
  if (after_.is_missing()) {
    Value item;
    if (read(item)) after_ = std::move(item);
  }
  return after_;
}

namespace {

LoopBody& loop_of(const Value& value) { return value.as<LoopBody>(); }

template <Integer (*count)(LoopBody&)>
Value number(Evaluator&, const Value& subject) {
  return Value::integer(count(loop_of(subject)));
}
Integer index0(LoopBody& loop) { return loop.index0; }
Integer index(LoopBody& loop) { return loop.index0 + 1; }
Integer from_end0(LoopBody& loop) { return loop.length() - loop.index0 - 1; }
Integer from_end(LoopBody& loop) { return loop.length() - loop.index0; }
Integer length(LoopBody& loop) { return loop.length(); }
Integer depth0(LoopBody& loop) { return loop.depth0; }
Integer depth(LoopBody& loop) { return loop.depth0 + 1; }

Value first(Evaluator&, const Value& subject) { return Value::boolean(loop_of(subject).index0 == 0); }
Value last(Evaluator&, const Value& subject) { return Value::boolean(loop_of(subject).peek().is_missing()); }
Value previous_item(Evaluator&, const Value& subject) {
  LoopBody& loop = loop_of(subject);
  if (loop.index0 == 0) return Value::undefined(UndefinedReason::kHint, Value::text("there is no previous item"));
  return loop.before;
}
Value next_item(Evaluator&, const Value& subject) {
  const Value& item = loop_of(subject).peek();
  if (item.is_missing()) return Value::undefined(UndefinedReason::kHint, Value::text("there is no next item"));
  return item;
}

Value cycle(Evaluator&, const Value& subject, const Arguments& arguments) {
  if (!arguments.named.empty()) throw Failure("cycle() takes no keyword arguments");
  if (arguments.positional.empty()) throw Failure("no items for cycling given");
  const auto count = static_cast<Integer>(arguments.positional.size());
  return arguments.positional[static_cast<std::size_t>(loop_of(subject).index0 % count)];
}

Value changed(Evaluator&, const Value& subject, const Arguments& arguments) {
  if (!arguments.named.empty()) throw Failure("changed() takes no keyword arguments");
  LoopBody& loop = loop_of(subject);
  Value now = make_tuple(loop.heap(), arguments.positional);
  if (!loop.changed_value.is_missing() && are_equal(loop.changed_value, now)) return Value::boolean(false);
  loop.changed_value = std::move(now);
  return Value::boolean(true);
}

constexpr Member kMembers[] = {
    {.name = "index", .property = number<index>},
    {.name = "index0", .property = number<index0>},
    {.name = "revindex", .property = number<from_end>},
    {.name = "revindex0", .property = number<from_end0>},
    {.name = "first", .property = first},
    {.name = "last", .property = last},
    {.name = "length", .property = number<length>},
    {.name = "depth", .property = number<depth>},
    {.name = "depth0", .property = number<depth0>},
    {.name = "previtem", .property = previous_item},
    {.name = "nextitem", .property = next_item},
    {.name = "cycle", .method = cycle},
    {.name = "changed", .method = changed},
};

}  // namespace

std::span<const Member> loop_members() { return kMembers; }

}  // namespace anneal::datasets::jinja
