#include "datasets/templates/jinja/containers.h"

#include <fmt/format.h>

#include <algorithm>

namespace anneal::datasets::jinja {
namespace {

int nesting_above(int inner) {
  if (inner >= kMaximumNesting) {
    throw Failure(fmt::format("more than {} lists or dicts lie within each other", kMaximumNesting));
  }
  return inner + 1;
}

int nesting_above(const std::vector<Value>& items) {
  int deepest = 0;
  for (const Value& item : items) deepest = std::max(deepest, nesting_of(item));
  return nesting_above(deepest);
}

}  // namespace

int nesting_of(const Value& value) {
  switch (value.kind()) {
    case Kind::kList:
    case Kind::kTuple:
      return value.as<ListBody>().nesting;
    case Kind::kDict:
      return value.as<DictBody>().nesting();
    case Kind::kDictView:
      return nesting_of(value.as<DictViewBody>().dict) + 1;
    case Kind::kIterator:
      return value.as<IteratorBody>().nesting;
    default:
      return 0;
  }
}

ListBody::ListBody(Heap& heap, std::vector<Value> values)
    : Object(heap, sizeof(ListBody) + values.capacity() * sizeof(Value)),
      items(std::move(values)),
      nesting(nesting_above(items)) {
  heap.charge_steps(static_cast<int64_t>(items.size() / 8));
}

void DictBody::set(const Value& key, Value value) {
  nesting_ = std::max({nesting_, nesting_above(nesting_of(value)), nesting_above(nesting_of(key))});
  if (const Entry* known = locate(key)) {
    const_cast<Entry*>(known)->second = std::move(value);
    return;
  }
  charge(sizeof(Entry));
  entries_.emplace_back(key, std::move(value));
  if (entries_.size() == kScanLimit + 1) {
    for (std::size_t place = 0; place < entries_.size(); ++place) index(place);
  } else if (entries_.size() > kScanLimit) {
    index(entries_.size() - 1);
  }
}

void DictBody::index(std::size_t place) {
  charge(4 * sizeof(std::size_t));
  places_.emplace(hash_of(entries_[place].first), place);
}

const DictBody::Entry* DictBody::locate(const Value& key) const {
  const std::size_t hash = hash_of(key);  // also where it is not needed: a list is never a key
  if (places_.empty()) {
    for (const Entry& entry : entries_) {
      if (are_equal(entry.first, key)) return &entry;
    }
    return nullptr;
  }
  const auto [first, last] = places_.equal_range(hash);
  for (auto found = first; found != last; ++found) {
    heap().charge_steps(1);
    const Entry& entry = entries_[found->second];
    if (are_equal(entry.first, key)) return &entry;
  }
  return nullptr;
}

const Value* DictBody::find(const Value& key) const {
  const Entry* entry = locate(key);
  return entry == nullptr ? nullptr : &entry->second;
}

const Value* DictBody::find(std::string_view key) const {
  if (!places_.empty()) return find(Value::text(key));
  for (const Entry& entry : entries_) {
    if (entry.first.is_text() && entry.first.as_text() == key) return &entry.second;
  }
  return nullptr;
}

Value DictViewBody::item(std::size_t place) const {
  const DictBody::Entry& entry = dict.as<DictBody>().entries()[place];
  switch (part) {
    case Part::kKeys:
      return entry.first;
    case Part::kValues:
      return entry.second;
    case Part::kItems:
      break;
  }
  return make_tuple(heap(), {entry.first, entry.second});
}

Integer RangeBody::size() const {
  if (step > 0) return start < stop ? (stop - start - 1) / step + 1 : 0;
  return start > stop ? (start - stop - 1) / -step + 1 : 0;
}

Value* NamespaceBody::find(std::string_view name) {
  for (auto& [key, value] : attributes) {
    if (key.is_text() && key.as_text() == name) return &value;
  }
  return nullptr;
}

void NamespaceBody::set(const Value& name, Value value) {
  if (Value* known = find(name.as_text())) {
    *known = std::move(value);
    return;
  }
  charge(sizeof(DictBody::Entry));
  attributes.emplace_back(name, std::move(value));
}

}  // namespace anneal::datasets::jinja
