#include "datasets/formats/format.h"

#include <algorithm>

#include "kernels/core/error.h"

namespace anneal::datasets {
namespace {

bool has_items_with(const Json& list, const char* key) {
  if (!list.is_array()) return false;
  return list.empty() || (list.front().is_object() && list.front().contains(key));
}

bool is_message(const Json& value) { return value.is_object() && (value.contains("role") || value.contains("from")); }

bool is_ids(const Json& value) {
  return value.is_array() &&
         std::all_of(value.begin(), value.end(), [](const Json& id) { return id.is_number_integer(); });
}

}  // namespace

Json unpacked_text(const Json& value) {
  if (!value.is_string()) return value;
  const std::string& text = value.get_ref<const std::string&>();
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string::npos || (text[begin] != '[' && text[begin] != '{')) return value;
  try {
    return parse_json(text, "text");
  } catch (const Error&) {
    return value;
  }
}

std::optional<bool> as_truth(const Json& value) {
  if (value.is_boolean()) return value.get<bool>();
  const std::string text = value.is_string() ? value.get<std::string>() : value.is_number_integer() ? value.dump() : "";
  if (text == "true" || text == "True" || text == "TRUE" || text == "1") return true;
  if (text == "false" || text == "False" || text == "FALSE" || text == "0") return false;
  return std::nullopt;
}

std::optional<std::string> as_text(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number()) return to_text(value);
  return std::nullopt;
}

bool fits(Holds holds, const Json& value) {
  if (holds == Holds::kText) return value.is_string() || value.is_number();
  if (holds == Holds::kTruth) return as_truth(value).has_value();
  if (holds == Holds::kAnything) return true;
  const Json held = unpacked_text(value);
  switch (holds) {
    case Holds::kMessages:
      return has_items_with(held, "role");
    case Holds::kTurns:
      return has_items_with(held, "from");
    case Holds::kTextOrMessages:
      return held.is_string() || held.is_number() || has_items_with(held, "role") || has_items_with(held, "from") ||
             is_message(held);
    case Holds::kObject:
      return held.is_object();
    case Holds::kList:
      return held.is_array();
    case Holds::kIds:
      return is_ids(held);
    default:
      return false;
  }
}

const Json* RowFields::column(std::string_view name) const {
  const auto found = record_.find(std::string(name));
  return found == record_.end() || found->is_null() ? nullptr : &*found;
}

const Json* RowFields::find(std::string_view role) const {
  const auto bound = binding_.columns.find(role);
  return bound == binding_.columns.end() ? nullptr : column(bound->second);
}

const Json& RowFields::value(std::string_view role) const {
  if (const Json* found = find(role)) return *found;
  const auto bound = binding_.columns.find(role);
  throw BadRow(fmt::format("column \"{}\" is missing or null",
                           printable(bound == binding_.columns.end() ? std::string(role) : bound->second)));
}

std::string RowFields::text(std::string_view role) const {
  const Json& found = value(role);
  if (std::optional<std::string> text = as_text(found)) return *std::move(text);
  throw BadRow(fmt::format("column \"{}\" is {}, expected a text", printable(binding_.columns.find(role)->second),
                           found.is_boolean() ? "true or false"
                           : found.is_array() ? "a list"
                                              : "an object"));
}

std::string RowFields::text_or_empty(std::string_view role) const { return has(role) ? text(role) : std::string(); }

Json RowFields::structure(std::string_view role) const {
  const Json* found = find(role);
  if (found == nullptr) return nullptr;
  Json held = unpacked_text(*found);
  if (held.is_structured()) return held;
  if (held.is_string() && held.get_ref<const std::string&>().find_first_not_of(" \t\r\n") == std::string::npos) {
    return nullptr;
  }
  throw BadRow(
      fmt::format("column \"{}\" holds no readable list or object", printable(binding_.columns.find(role)->second)));
}

bool RowFields::truth(std::string_view role) const {
  const Json& found = value(role);
  if (const std::optional<bool> truth = as_truth(found)) return *truth;
  throw BadRow(fmt::format("column \"{}\" is {}, expected true or false",
                           printable(binding_.columns.find(role)->second), printable(to_text(found))));
}

}  // namespace anneal::datasets
