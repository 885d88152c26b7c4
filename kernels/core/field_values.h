#pragma once
// How the types that a setting may have travel as Json. Part of fields.h: from_json() sees only values that
// FieldTable::normalise() has let through.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "kernels/core/json.h"

namespace anneal {

enum class FieldKind { kBool, kInteger, kNumber, kText, kChoice, kTextList, kTextMap, kNumberMap };

// The names of an enum's values, in the order in which people see them:
//   template <> struct ChoiceOf<Precision> {
//     static constexpr Choice<Precision> list[] = {{Precision::kAuto, "auto"}, {Precision::kFp32, "fp32"}};
//   };
template <class Enum>
struct Choice {
  Enum value;
  std::string_view name;
};
template <class Enum>
struct ChoiceOf;

template <class Enum>
std::string_view choice_name(Enum value) {
  for (const Choice<Enum>& choice : ChoiceOf<Enum>::list) {
    if (choice.value == value) return choice.name;
  }
  return "?";  // a value outside the list: FieldList::check() refuses it
}

template <class T>
struct FieldValue {
  static constexpr bool kIsOptional = false;
  static constexpr FieldKind kKind = [] {
    if constexpr (std::is_same_v<T, bool>) return FieldKind::kBool;
    if constexpr (std::is_same_v<T, int64_t>) return FieldKind::kInteger;
    if constexpr (std::is_same_v<T, double>) return FieldKind::kNumber;
    if constexpr (std::is_same_v<T, std::string>) return FieldKind::kText;
    if constexpr (std::is_enum_v<T>) return FieldKind::kChoice;
    if constexpr (std::is_same_v<T, std::vector<std::string>>) return FieldKind::kTextList;
    if constexpr (std::is_same_v<T, std::map<std::string, std::string>>) return FieldKind::kTextMap;
    if constexpr (std::is_same_v<T, std::map<std::string, double>>) return FieldKind::kNumberMap;
  }();  // a type that is none of these does not compile

  static Json to_json(const T& value) {
    if constexpr (std::is_enum_v<T>) {
      return std::string(choice_name(value));
    } else if constexpr (kKind == FieldKind::kTextMap || kKind == FieldKind::kNumberMap) {
      Json object = Json::object();
      for (const auto& [key, item] : value) object[key] = item;
      return object;
    } else {
      return value;
    }
  }
  static void from_json(const Json& value, T& into) {
    if constexpr (std::is_enum_v<T>) {
      for (const Choice<T>& choice : ChoiceOf<T>::list) {
        if (choice.name == value.get_ref<const std::string&>()) into = choice.value;
      }
    } else {
      into = value.get<T>();
    }
  }
  static std::vector<std::string> names() {
    std::vector<std::string> all;
    if constexpr (std::is_enum_v<T>) {
      for (const Choice<T>& choice : ChoiceOf<T>::list) all.emplace_back(choice.name);
    }
    return all;
  }
};

template <class T>
struct FieldValue<std::optional<T>> : FieldValue<T> {
  static constexpr bool kIsOptional = true;
  static Json to_json(const std::optional<T>& value) { return value ? FieldValue<T>::to_json(*value) : Json(nullptr); }
  static void from_json(const Json& value, std::optional<T>& into) {
    if (value.is_null()) {
      into.reset();
    } else {
      FieldValue<T>::from_json(value, into.emplace());
    }
  }
};

}  // namespace anneal
