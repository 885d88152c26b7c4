#pragma once
// Lists, tuples, dicts, ranges and the other values that hold values. Immutable once made, as the sandbox keeps them;
// only namespaces (and counters such as cycler) change.

#include <cstdint>
#include <functional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "datasets/templates/jinja/value.h"

namespace anneal::datasets::jinja {

class Evaluator;

// How many lists and dicts may lie within each other: all that walks through them does so by calling itself.
inline constexpr int kMaximumNesting = 600;

class ListBody : public Object {  // kList and kTuple
 public:
  ListBody(Heap& heap, std::vector<Value> values);
  const std::vector<Value> items;
  const int nesting;
  bool is_group = false;  // groupby's pair: has the attributes grouper and list
};

class DictBody : public Object {
 public:
  using Entry = std::pair<Value, Value>;
  explicit DictBody(Heap& heap) : Object(heap, sizeof(DictBody)) {}

  // While it is being made: adds the key, or gives it another value. Throws Failure if the key cannot be hashed.
  void set(const Value& key, Value value);
  void reserve(std::size_t count) { entries_.reserve(count); }

  const Value* find(const Value& key) const;  // throws Failure if the key cannot be hashed
  const Value* find(std::string_view key) const;
  const std::vector<Entry>& entries() const { return entries_; }
  int nesting() const { return nesting_; }

  int message = -1;  // which message of the conversation this is

 private:
  // Dicts from a file are small; a hash table is made only beyond this.
  static constexpr std::size_t kScanLimit = 12;
  const Entry* locate(const Value& key) const;
  void index(std::size_t place);

  std::vector<Entry> entries_;
  std::unordered_multimap<std::size_t, std::size_t> places_;  // hash of the key -> place
  int nesting_ = 1;
};

class DictViewBody : public Object {
 public:
  enum class Part : uint8_t { kKeys, kValues, kItems };
  DictViewBody(Value dict_value, Part which)
      : Object(dict_value.owner()->heap(), sizeof(DictViewBody)), dict(std::move(dict_value)), part(which) {}
  const Value dict;
  const Part part;
  std::size_t size() const { return dict.as<DictBody>().entries().size(); }
  Value item(std::size_t place) const;
};

// Of a range's three numbers; sums and products of places then fit.
inline constexpr Integer kLargestBound = Integer{1} << 120;

class RangeBody : public Object {
 public:
  RangeBody(Heap& heap, Integer first, Integer stop_before, Integer stride)
      : Object(heap, sizeof(RangeBody)), start(first), stop(stop_before), step(stride) {}
  const Integer start, stop, step;
  Integer size() const;
  Value item(Integer place) const { return Value::integer(start + place * step); }
};

// Read once, item by item.
class IteratorBody : public Object {
 public:
  explicit IteratorBody(Heap& heap, std::size_t bytes) : Object(heap, bytes) {}
  // False: there is nothing more, now and from now on.
  virtual bool next(Value& item) = 0;
  // How many iterators it reads through; they end each other by calling.
  int nesting = 1;
};

// The only value that a template can change, so the only one that could hold itself: the evaluator empties all of them
// at the end.
class NamespaceBody : public Object {
 public:
  explicit NamespaceBody(Heap& heap) : Object(heap, sizeof(NamespaceBody)) {}
  std::vector<DictBody::Entry> attributes;  // in the order of their first assignment
  Value* find(std::string_view name);
  void set(const Value& name, Value value);
};

class CyclerBody : public Object {
 public:
  CyclerBody(Heap& heap, std::vector<Value> values)
      : Object(heap, sizeof(CyclerBody) + values.capacity() * sizeof(Value)), items(std::move(values)) {}
  const std::vector<Value> items;
  std::size_t at = 0;
};

class JoinerBody : public Object {
 public:
  JoinerBody(Heap& heap, Value text) : Object(heap, sizeof(JoinerBody)), separator(std::move(text)) {}
  const Value separator;
  bool is_used = false;
};

inline Value make_list(Heap& heap, std::vector<Value> items) {
  return make<ListBody>(Kind::kList, heap, std::move(items));
}
inline Value make_tuple(Heap& heap, std::vector<Value> items) {
  return make<ListBody>(Kind::kTuple, heap, std::move(items));
}

// Python's hash and ==. Numbers that are equal hash alike whatever their kind.
std::size_t hash_of(const Value& value);  // throws Failure for what cannot be hashed
bool are_equal(const Value& a, const Value& b);

// How deep the value's lists and dicts lie within each other.
int nesting_of(const Value& value);

}  // namespace anneal::datasets::jinja
