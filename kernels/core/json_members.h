#pragma once
// Bodies of json.h's member look-ups.

#include <cmath>
#include <limits>
#include <type_traits>

#include "kernels/core/error.h"
#include "kernels/core/json.h"

namespace anneal {

namespace json_detail {
template <class T>
bool holds(const Json& value) {
  if constexpr (std::is_same_v<T, bool>) {
    return value.is_boolean();
  } else if constexpr (std::is_integral_v<T>) {
    if (value.is_number_integer()) {
      if (value.is_number_unsigned()) {
        return value.get<uint64_t>() <= static_cast<uint64_t>(std::numeric_limits<T>::max());
      }
      const auto number = value.get<int64_t>();
      return number >= static_cast<int64_t>(std::numeric_limits<T>::min()) &&
             (number < 0 || static_cast<uint64_t>(number) <= static_cast<uint64_t>(std::numeric_limits<T>::max()));
    }
    return false;
  } else if constexpr (std::is_floating_point_v<T>) {
    return value.is_number();
  } else if constexpr (std::is_same_v<T, std::string>) {
    return value.is_string();
  } else {
    return true;
  }
}
template <class T>
constexpr const char* kind_name() {
  if constexpr (std::is_same_v<T, bool>) return "true or false";
  if constexpr (std::is_integral_v<T>) return "a whole number";
  if constexpr (std::is_floating_point_v<T>) return "a number";
  if constexpr (std::is_same_v<T, std::string>) return "a text";
  return "another kind of value";
}
}  // namespace json_detail

template <class T>
T require(const Json& object, const char* key, std::string_view where) {
  const auto found = object.is_object() ? object.find(key) : object.end();
  if (found == object.end() || found->is_null()) {
    throw input_error("{}: \"{}\" is missing. Get a complete copy of the file.", where, key);
  }
  if (!json_detail::holds<T>(*found)) {
    throw input_error("{}: \"{}\" is {}, expected {}.", where, key, printable(found->dump()),
                      json_detail::kind_name<T>());
  }
  return found->get<T>();
}

template <class T>
T value_or(const Json& object, const char* key, T fallback, std::string_view where) {
  const auto found = object.is_object() ? object.find(key) : object.end();
  if (found == object.end() || found->is_null()) return fallback;
  return require<T>(object, key, where);
}

}  // namespace anneal
