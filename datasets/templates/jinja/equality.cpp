// Python's == and hash().

#include <fmt/format.h>

#include <cmath>
#include <functional>

#include "datasets/templates/jinja/containers.h"

namespace anneal::datasets::jinja {
namespace {

// A float that is a whole number equals, and hashes like, that int.
bool as_whole(double number, Integer& whole) {
  if (!(std::fabs(number) < 0x1p126) || std::floor(number) != number) return false;
  whole = static_cast<Integer>(number);
  return true;
}

std::size_t hash_integer(Integer number) {
  const auto low = static_cast<uint64_t>(number);
  const auto high = static_cast<uint64_t>(number >> 64);
  return std::hash<uint64_t>{}(low * 0x9E3779B97F4A7C15u ^ high);
}

bool numbers_equal(const Value& a, const Value& b) {
  if (a.is_integral() && b.is_integral()) return a.as_integer() == b.as_integer();
  if (a.is(Kind::kFloat) && b.is(Kind::kFloat)) return a.as_real() == b.as_real();
  Integer whole = 0;
  const Value& real = a.is(Kind::kFloat) ? a : b;
  const Value& integral = a.is(Kind::kFloat) ? b : a;
  return as_whole(real.as_real(), whole) && whole == integral.as_integer();
}

bool lists_equal(const ListBody& a, const ListBody& b) {
  if (a.items.size() != b.items.size()) return false;
  a.heap().charge_steps(static_cast<int64_t>(a.items.size()));
  for (std::size_t i = 0; i < a.items.size(); ++i) {
    if (!are_equal(a.items[i], b.items[i])) return false;
  }
  return true;
}

bool dicts_equal(const DictBody& a, const DictBody& b) {
  if (a.entries().size() != b.entries().size()) return false;
  a.heap().charge_steps(static_cast<int64_t>(a.entries().size()));
  for (const auto& [key, value] : a.entries()) {
    const Value* other = b.find(key);
    if (other == nullptr || !are_equal(value, *other)) return false;
  }
  return true;
}

// keys() and items() compare as sets; values() only with itself.
bool views_equal(const DictViewBody& a, const DictViewBody& b) {
  if (a.part != b.part || a.part == DictViewBody::Part::kValues || a.size() != b.size()) return false;
  const auto& other = b.dict.as<DictBody>();
  for (const auto& [key, value] : a.dict.as<DictBody>().entries()) {
    const Value* found = other.find(key);
    if (found == nullptr || (a.part == DictViewBody::Part::kItems && !are_equal(value, *found))) return false;
  }
  return true;
}

bool ranges_equal(const RangeBody& a, const RangeBody& b) {
  const Integer size = a.size();
  if (size != b.size()) return false;
  return size == 0 || (a.start == b.start && (size == 1 || a.step == b.step));
}

}  // namespace

bool are_equal(const Value& a, const Value& b) {
  if (a.is_number() && b.is_number()) return numbers_equal(a, b);
  if (a.kind() != b.kind()) return false;
  switch (a.kind()) {
    case Kind::kNone:
    case Kind::kUndefined:
      return true;
    case Kind::kText:
      return a.as_text() == b.as_text();
    default:
      break;
  }
  if (a.owner() == b.owner()) return true;
  switch (a.kind()) {
    case Kind::kList:
    case Kind::kTuple:
      return lists_equal(a.as<ListBody>(), b.as<ListBody>());
    case Kind::kDict:
      return dicts_equal(a.as<DictBody>(), b.as<DictBody>());
    case Kind::kDictView:
      return views_equal(a.as<DictViewBody>(), b.as<DictViewBody>());
    case Kind::kRange:
      return ranges_equal(a.as<RangeBody>(), b.as<RangeBody>());
    default:
      return false;
  }
}

std::size_t hash_of(const Value& value) {
  switch (value.kind()) {
    case Kind::kMissing:
    case Kind::kNone:
      return 1;
    case Kind::kUndefined:
      return 2;
    case Kind::kBool:
    case Kind::kInteger:
      return hash_integer(value.as_integer());
    case Kind::kFloat: {
      Integer whole = 0;
      return as_whole(value.as_real(), whole) ? hash_integer(whole) : std::hash<double>{}(value.as_real());
    }
    case Kind::kText:
      return std::hash<std::string_view>{}(value.as_text());
    case Kind::kTuple: {
      std::size_t hash = 3;
      value.owner()->heap().charge_steps(static_cast<int64_t>(value.as<ListBody>().items.size()));
      for (const Value& item : value.as<ListBody>().items) hash = hash * 1000003u ^ hash_of(item);
      return hash;
    }
    case Kind::kList:
    case Kind::kDict:
    case Kind::kDictView:
      throw Failure(fmt::format("unhashable type: '{}'", type_name(value)));
    default:
      return std::hash<const void*>{}(value.owner());
  }
}

}  // namespace anneal::datasets::jinja
