// base.name, base[key] and base[a:b], with the sandbox's rules.

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "datasets/templates/jinja/containers.h"
#include "datasets/templates/jinja/evaluator.h"
#include "datasets/templates/jinja/method.h"
#include "datasets/templates/jinja/printing.h"
#include "datasets/templates/jinja/unicode.h"
#include "kernels/core/error.h"

namespace anneal::datasets::jinja {
namespace {

// Members that every Python value has; the sandbox keeps them, and their like, from templates.
bool is_internal(std::string_view name) {
  constexpr std::array<std::string_view, 26> kOfAll = {
      "__class__",        "__delattr__",  "__dir__", "__doc__",          "__eq__",     "__format__",        "__ge__",
      "__getattribute__", "__getstate__", "__gt__",  "__hash__",         "__init__",   "__init_subclass__", "__le__",
      "__lt__",           "__module__",   "__ne__",  "__new__",          "__reduce__", "__reduce_ex__",     "__repr__",
      "__setattr__",      "__sizeof__",   "__str__", "__subclasshook__", "__iter__"};
  return std::find(kOfAll.begin(), kOfAll.end(), name) != kOfAll.end();
}

Value unsafe(Heap& heap, const Value& base, std::string_view name) {
  return Value::undefined(UndefinedReason::kUnsafe,
                          make_text(heap, fmt::format("access to attribute '{}' of '{}' object is unsafe",
                                                      printable(name), type_name(base))));
}

// What Python's getattr gives; missing: AttributeError.
Value find_attribute(Evaluator& evaluator, const Value& base, std::string_view name) {
  if (base.is(Kind::kNamespace)) {
    const Value* found = base.as<NamespaceBody>().find(name);
    if (found == nullptr) return {};
    return name.starts_with('_') ? unsafe(evaluator.heap(), base, name) : *found;
  }
  if (base.is(Kind::kTuple) && base.as<ListBody>().is_group) {
    if (name == "grouper") return base.as<ListBody>().items[0];
    if (name == "list") return base.as<ListBody>().items[1];
  }
  if (name.starts_with("__")) return is_internal(name) ? unsafe(evaluator.heap(), base, name) : Value();
  const Member* found = find_member(base.kind(), name);
  if (found == nullptr) return {};
  if (found->is_unsafe) return unsafe(evaluator.heap(), base, name);
  if (found->property != nullptr) return found->property(evaluator, base);
  return make<MethodBody>(Kind::kMethod, evaluator.heap(), base, *found);
}

// A place counted from the front or, if negative, from the end; nothing: outside.
std::optional<Integer> place_in(Integer size, Integer index) {
  if (index < 0) index += size;
  if (index < 0 || index >= size) return std::nullopt;
  return index;
}

// What Python's base[key] gives; missing: KeyError, IndexError or TypeError.
Value find_item(Heap& heap, const Value& base, const Value& key) {
  switch (base.kind()) {
    case Kind::kUndefined:
      fail_undefined(base);
    case Kind::kDict: {
      if (key.is(Kind::kList) || key.is(Kind::kDict)) return {};
      const Value* found = key.is_text() ? base.as<DictBody>().find(key.as_text()) : base.as<DictBody>().find(key);
      return found == nullptr ? Value() : *found;
    }
    case Kind::kList:
    case Kind::kTuple: {
      if (!key.is_integral()) return {};
      const auto& items = base.as<ListBody>().items;
      const auto place = place_in(static_cast<Integer>(items.size()), key.as_integer());
      return place ? items[static_cast<std::size_t>(*place)] : Value();
    }
    case Kind::kText: {
      if (!key.is_integral()) return {};
      const std::string_view text = base.as_text();
      heap.charge_bytes(2 * text.size());
      const auto place = place_in(static_cast<Integer>(count_characters(text)), key.as_integer());
      if (!place) return {};
      const std::size_t begin = byte_of_character(text, static_cast<std::size_t>(*place));
      return part_of(base, begin, begin + character_at(text, begin).size);
    }
    case Kind::kRange: {
      if (!key.is_integral()) return {};
      const auto& range = base.as<RangeBody>();
      const auto place = place_in(range.size(), key.as_integer());
      return place ? range.item(*place) : Value();
    }
    default:
      return {};
  }
}

Value not_there(Heap& heap, const Value& base, const Value& key) {
  if (key.is_text()) return Value::undefined(UndefinedReason::kAttribute, key, base.kind());
  const Value repr = to_repr(heap, key);
  return Value::undefined(
      UndefinedReason::kHint,
      make_text(heap, fmt::format("{} object has no element {}", type_name(base), printable(repr.as_text()))));
}

}  // namespace

Value Evaluator::attribute(const Value& base, const Value& name) {
  if (base.is_undefined()) fail_undefined(base);
  // Most attributes are the members of a message.
  Value found = find_attribute(*this, base, name.as_text());
  if (found.is_missing()) found = find_item(heap_, base, name);
  return found.is_missing() ? not_there(heap_, base, name) : found;
}

Value Evaluator::member(const Value& base, const Value& name) {
  if (base.is_undefined()) fail_undefined(base);
  Value found = find_attribute(*this, base, name.as_text());
  return found.is_missing() ? not_there(heap_, base, name) : found;
}

Value Evaluator::item(const Value& base, const Value& key) {
  Value found = find_item(heap_, base, key);
  if (found.is_missing() && key.is_text()) found = find_attribute(*this, base, key.as_text());
  return found.is_missing() ? not_there(heap_, base, key) : found;
}

namespace {

struct Bounds {
  Integer start, stop, step;
};

// As Python's slice.indices does: both ends are put inside the sequence.
Bounds bounds_of(Integer size, const Value& start, const Value& stop, const Value& step) {
  const auto number = [](const Value& value, Integer fallback) {
    if (value.is_missing() || value.is_none()) return fallback;
    if (!value.is_integral()) throw Failure("slice indices must be integers or None");
    return value.as_integer();
  };
  Bounds bounds{0, 0, number(step, 1)};
  if (bounds.step == 0) throw Failure("slice step cannot be zero");
  const Integer lowest = bounds.step > 0 ? 0 : -1;
  const Integer highest = bounds.step > 0 ? size : size - 1;
  const auto clamp = [&](Integer place) {
    if (place < 0) place += size;
    return std::clamp(place, lowest, highest);
  };
  const bool has_start = !start.is_missing() && !start.is_none();
  const bool has_stop = !stop.is_missing() && !stop.is_none();
  bounds.start = has_start ? clamp(number(start, 0)) : bounds.step > 0 ? lowest : highest;
  bounds.stop = has_stop ? clamp(number(stop, 0)) : bounds.step > 0 ? highest : lowest;
  return bounds;
}

bool goes_on(const Bounds& bounds, Integer place) {
  return bounds.step > 0 ? place < bounds.stop : place > bounds.stop;
}

// The place after, or the end when the step leads far beyond.
Integer next_place(const Bounds& bounds, Integer place) {
  Integer next = 0;
  return __builtin_add_overflow(place, bounds.step, &next) ? bounds.stop : next;
}

Value slice_text(Heap& heap, const Value& text, const Value& start, const Value& stop, const Value& step) {
  const std::string_view bytes = text.as_text();
  heap.charge_bytes(3 * bytes.size());
  const Bounds bounds = bounds_of(static_cast<Integer>(count_characters(bytes)), start, stop, step);
  if (bounds.step == 1) {
    if (bounds.start >= bounds.stop) return part_of(text, 0, 0);
    const std::size_t begin = byte_of_character(bytes, static_cast<std::size_t>(bounds.start));
    const std::string_view rest = bytes.substr(begin);
    return part_of(text, begin, begin + byte_of_character(rest, static_cast<std::size_t>(bounds.stop - bounds.start)));
  }
  std::vector<std::size_t> places;  // where each character begins
  heap.check_room(bytes.size() * sizeof(std::size_t));
  for (std::size_t at = 0; at < bytes.size(); at += character_at(bytes, at).size) places.push_back(at);
  places.push_back(bytes.size());
  TextBuilder builder(heap);
  for (Integer place = bounds.start; goes_on(bounds, place); place = next_place(bounds, place)) {
    heap.charge_steps(1);
    const auto index = static_cast<std::size_t>(place);
    builder.append(part_of(text, places[index], places[index + 1]));
  }
  return builder.take().with_markup(text.is_markup());
}

Value slice_list(Heap& heap, const Value& list, const Value& start, const Value& stop, const Value& step) {
  const auto& items = list.as<ListBody>().items;
  const Bounds bounds = bounds_of(static_cast<Integer>(items.size()), start, stop, step);
  std::vector<Value> kept;
  for (Integer place = bounds.start; goes_on(bounds, place); place = next_place(bounds, place)) {
    kept.push_back(items[static_cast<std::size_t>(place)]);
  }
  return make<ListBody>(list.kind(), heap, std::move(kept));
}

}  // namespace

Value Evaluator::evaluate_slice(const Slice& node, Frame& frame) {
  const Value base = evaluate(*node.base, frame);
  const auto part = [&](const ExpressionPointer& expression) {
    return expression ? evaluate(*expression, frame) : Value();
  };
  const Value start = part(node.start);
  const Value stop = part(node.stop);
  const Value step = part(node.step);
  switch (base.kind()) {
    case Kind::kText:
      return slice_text(heap_, base, start, stop, step);
    case Kind::kList:
    case Kind::kTuple:
      return slice_list(heap_, base, start, stop, step);
    case Kind::kRange: {
      const auto& range = base.as<RangeBody>();
      const Bounds bounds = bounds_of(range.size(), start, stop, step);
      Integer stride = 0;
      if (__builtin_mul_overflow(range.step, bounds.step, &stride) || stride > kLargestBound ||
          stride < -kLargestBound) {
        throw Failure("a whole number becomes too large");
      }
      return make<RangeBody>(Kind::kRange, heap_, range.start + bounds.start * range.step,
                             range.start + bounds.stop * range.step, stride);
    }
    case Kind::kUndefined:
      fail_undefined(base);
    case Kind::kDict:
      throw Failure("unhashable type: 'slice'");
    default:
      throw Failure(fmt::format("'{}' object is not subscriptable", type_name(base)));
  }
}

}  // namespace anneal::datasets::jinja
