// Filters that compare the items of a sequence with each other.

#include <fmt/format.h>

#include <algorithm>

#include "datasets/templates/jinja/attribute_path.h"
#include "datasets/templates/jinja/builtins.h"
#include "datasets/templates/jinja/containers.h"
#include "datasets/templates/jinja/evaluator.h"
#include "datasets/templates/jinja/iteration.h"
#include "datasets/templates/jinja/operators.h"
#include "datasets/templates/jinja/text_case.h"

namespace anneal::datasets::jinja {
namespace {

struct Keyed {
  Value key, item;
};

// Python's sorted(): stable, also when reversed.
void sort_by_key(Heap& heap, std::vector<Keyed>& items, bool is_reversed) {
  if (is_reversed) std::reverse(items.begin(), items.end());
  std::stable_sort(items.begin(), items.end(), [&](const Keyed& a, const Keyed& b) {
    heap.charge_steps(1);
    return is_less(heap, a.key, b.key);
  });
  if (is_reversed) std::reverse(items.begin(), items.end());
}

Value list_of(Heap& heap, std::vector<Keyed> keyed) {
  std::vector<Value> items;
  items.reserve(keyed.size());
  for (Keyed& entry : keyed) items.push_back(std::move(entry.item));
  return make_list(heap, std::move(items));
}

Value key_for(Heap& heap, const Value& value, bool case_sensitive) {
  return case_sensitive ? value : without_case(heap, value);
}

Value argument_or_none(const Value* value) { return value == nullptr ? Value::none() : *value; }

Value sort(Evaluator& evaluator, const Value& subject, const Arguments& arguments) {
  const Bound bound(arguments, "sort", {"reverse", "case_sensitive", "attribute"});
  Heap& heap = evaluator.heap();
  const bool case_sensitive = truth_or(bound[1], false);
  const std::vector<AttributePath> paths = AttributePath::list(argument_or_none(bound[2]));
  std::vector<Keyed> keyed;
  Iteration iteration(heap, subject);
  for (Value item; iteration.next(item);) {
    std::vector<Value> keys;
    for (const AttributePath& path : paths) keys.push_back(key_for(heap, path.of(evaluator, item), case_sensitive));
    add_item(heap, keyed, {make_list(heap, std::move(keys)), std::move(item)});
  }
  sort_by_key(heap, keyed, truth_or(bound[0], false));
  return list_of(heap, std::move(keyed));
}

Value sort_dict(Evaluator& evaluator, const Value& subject, const Arguments& arguments) {
  const Bound bound(arguments, "dictsort", {"case_sensitive", "by", "reverse"});
  Heap& heap = evaluator.heap();
  const std::string_view by = bound[1] == nullptr ? "key" : text_argument(*bound[1], "dictsort");
  if (by != "key" && by != "value") throw Failure("You can only sort by either \"key\" or \"value\"");
  if (subject.is_undefined()) fail_undefined(subject);
  if (!subject.is(Kind::kDict)) throw Failure(fmt::format("'{}' object has no attribute 'items'", type_name(subject)));
  std::vector<Keyed> keyed;
  for (const auto& [key, value] : subject.as<DictBody>().entries()) {
    keyed.push_back(
        {key_for(heap, by == "key" ? key : value, truth_or(bound[0], false)), make_tuple(heap, {key, value})});
  }
  sort_by_key(heap, keyed, truth_or(bound[2], false));
  return list_of(heap, std::move(keyed));
}

Value group_by(Evaluator& evaluator, const Value& subject, const Arguments& arguments) {
  const Bound bound(arguments, "groupby", {"attribute", "default", "case_sensitive"}, 1);
  Heap& heap = evaluator.heap();
  const bool case_sensitive = truth_or(bound[2], false);
  const AttributePath path(*bound[0]);
  const Value fallback = bound[1] == nullptr || bound[1]->is_none() ? Value() : *bound[1];
  std::vector<Keyed> keyed;
  Iteration iteration(heap, subject);
  for (Value item; iteration.next(item);) {
    Value key = key_for(heap, path.of(evaluator, item, fallback), case_sensitive);
    add_item(heap, keyed, {std::move(key), std::move(item)});
  }
  sort_by_key(heap, keyed, false);
  std::vector<Value> groups;
  for (std::size_t begin = 0; begin < keyed.size();) {
    std::vector<Value> items = {keyed[begin].item};
    std::size_t end = begin + 1;
    for (; end < keyed.size() && are_equal(keyed[end].key, keyed[begin].key); ++end) items.push_back(keyed[end].item);
    // The name of a group is that of its first item, in its own case.
    const Value name = path.of(evaluator, items.front(), fallback);
    Value group = make_tuple(heap, {name, make_list(heap, std::move(items))});
    group.as<ListBody>().is_group = true;
    groups.push_back(std::move(group));
    begin = end;
  }
  return make_list(heap, std::move(groups));
}

template <bool largest>
Value extreme(Evaluator& evaluator, const Value& subject, const Arguments& arguments) {
  const Bound bound(arguments, largest ? "max" : "min", {"case_sensitive", "attribute"});
  Heap& heap = evaluator.heap();
  const AttributePath path(argument_or_none(bound[1]));
  const bool case_sensitive = truth_or(bound[0], false);
  Keyed best;
  Iteration iteration(heap, subject);
  for (Value item; iteration.next(item);) {
    const Value key = key_for(heap, path.of(evaluator, item), case_sensitive);
    const bool better =
        best.item.is_missing() || compare(heap, largest ? Operator::kGreater : Operator::kLess, key, best.key);
    if (better) best = {key, item};
  }
  if (!best.item.is_missing()) return best.item;
  return Value::undefined(UndefinedReason::kHint, Value::text("No aggregated item, sequence was empty."));
}

constexpr NamedBuiltin kFilters[] = {
    {"sort", sort}, {"dictsort", sort_dict}, {"groupby", group_by}, {"min", extreme<false>}, {"max", extreme<true>},
};

}  // namespace

std::span<const NamedBuiltin> sorting_filters() { return kFilters; }

}  // namespace anneal::datasets::jinja
