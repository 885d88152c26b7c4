#include "datasets/templates/jinja/iteration.h"

#include <fmt/format.h>

#include "datasets/templates/jinja/loop.h"
#include "datasets/templates/jinja/text.h"
#include "datasets/templates/jinja/unicode.h"

namespace anneal::datasets::jinja {

bool can_iterate(const Value& value) {
  switch (value.kind()) {
    case Kind::kText:
    case Kind::kUndefined:
    case Kind::kList:
    case Kind::kTuple:
    case Kind::kDict:
    case Kind::kDictView:
    case Kind::kRange:
    case Kind::kIterator:
    case Kind::kLoop:
      return true;
    default:
      return false;
  }
}

Iteration::Iteration(Heap& heap, const Value& iterable) : heap_(&heap), iterable_(iterable) {
  if (!can_iterate(iterable)) throw Failure(fmt::format("'{}' object is not iterable", type_name(iterable)));
  if (iterable.is(Kind::kLoop)) throw Failure("the variable loop cannot be iterated here");
}

bool Iteration::next(Value& item) {
  heap_->charge_steps(1);
  switch (iterable_.kind()) {
    case Kind::kList:
    case Kind::kTuple: {
      const std::vector<Value>& items = iterable_.as<ListBody>().items;
      if (place_ == items.size()) return false;
      item = items[place_++];
      return true;
    }
    case Kind::kDict: {
      const auto& entries = iterable_.as<DictBody>().entries();
      if (place_ == entries.size()) return false;
      item = entries[place_++].first;
      return true;
    }
    case Kind::kDictView: {
      const auto& view = iterable_.as<DictViewBody>();
      if (place_ == view.size()) return false;
      item = view.item(place_++);
      return true;
    }
    case Kind::kRange: {
      const auto& range = iterable_.as<RangeBody>();
      if (static_cast<Integer>(place_) >= range.size()) return false;
      item = range.item(static_cast<Integer>(place_++));
      return true;
    }
    case Kind::kText: {
      const std::string_view text = iterable_.as_text();
      if (place_ == text.size()) return false;
      const std::size_t size = character_at(text, place_).size;
      // str's own iterator gives plain texts, also for markup.
      item = part_of(iterable_, place_, place_ + size).with_markup(false);
      place_ += size;
      return true;
    }
    case Kind::kIterator:
      return iterable_.as<IteratorBody>().next(item);
    default:
      return false;
  }
}

std::vector<Value> items_of(Heap& heap, const Value& iterable) {
  if (iterable.is(Kind::kList) || iterable.is(Kind::kTuple)) return iterable.as<ListBody>().items;
  std::vector<Value> items;
  Iteration iteration(heap, iterable);
  for (Value item; iteration.next(item);) add_item(heap, items, std::move(item));
  return items;
}

std::optional<Integer> length_of(Heap& heap, const Value& value) {
  switch (value.kind()) {
    case Kind::kUndefined:
      return 0;
    case Kind::kText:
      heap.charge_bytes(value.as_text().size());
      return static_cast<Integer>(count_characters(value.as_text()));
    case Kind::kList:
    case Kind::kTuple:
      return static_cast<Integer>(value.as<ListBody>().items.size());
    case Kind::kDict:
      return static_cast<Integer>(value.as<DictBody>().entries().size());
    case Kind::kDictView:
      return static_cast<Integer>(value.as<DictViewBody>().size());
    case Kind::kRange:
      return value.as<RangeBody>().size();
    case Kind::kLoop:
      return value.as<LoopBody>().length();
    default:
      return std::nullopt;
  }
}

Integer length_or_fail(Heap& heap, const Value& value) {
  const std::optional<Integer> length = length_of(heap, value);
  if (!length) throw Failure(fmt::format("object of type '{}' has no len()", type_name(value)));
  return *length;
}

}  // namespace anneal::datasets::jinja
