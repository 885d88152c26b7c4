#pragma once
// Going through a value item by item, as Python's `for` does.

#include <optional>
#include <vector>

#include "datasets/templates/jinja/containers.h"

namespace anneal::datasets::jinja {

class Iteration {
 public:
  // Throws Failure if the value cannot be iterated.
  Iteration(Heap& heap, const Value& iterable);
  bool next(Value& item);

 private:
  Heap* heap_;
  Value iterable_;
  std::size_t place_ = 0;
};

bool can_iterate(const Value& value);

// All items; reads an iterator to its end.
std::vector<Value> items_of(Heap& heap, const Value& iterable);

// Adds to a list in the making; refuses to grow beyond the memory that is left.
template <class Item>
void add_item(Heap& heap, std::vector<Item>& items, Item item) {
  if (items.size() == items.capacity()) heap.check_room(2 * items.size() * sizeof(Item));
  items.push_back(std::move(item));
}

// Python's len(), or nothing where it raises TypeError.
std::optional<Integer> length_of(Heap& heap, const Value& value);
Integer length_or_fail(Heap& heap, const Value& value);

}  // namespace anneal::datasets::jinja
