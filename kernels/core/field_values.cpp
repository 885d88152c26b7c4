// Values of settings: what a text or a piece of JSON means for a field, and how a value is shown.
#include "kernels/core/field_values.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "kernels/core/fields.h"

namespace anneal {
namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

std::vector<std::string> split_at_commas(std::string_view text) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t comma = text.find(',');
    parts.emplace_back(trimmed(text.substr(0, comma)));
    if (comma == std::string_view::npos) return parts;
    text.remove_prefix(comma + 1);
  }
}

Problem not_of_kind(const Field& field, std::string_view shown) {
  std::string remedy = fmt::format("Give {}.", describe_values(field));
  if (field.kind == FieldKind::kTextList) remedy = "Write a,b or [\"a\",\"b\"].";
  if (field.kind == FieldKind::kTextMap) remedy = "Write a=x,b=y or {\"a\":\"x\",\"b\":\"y\"}.";
  if (field.kind == FieldKind::kNumberMap) remedy = "Write a=1,b=2 or {\"a\":1,\"b\":2}.";
  return {field.name, fmt::format("{} is not {}", shown, kind_text(field)), remedy};
}

Problem wrong_kind(const Field& field, const Json& value) { return not_of_kind(field, printable(to_text(value))); }

Problem out_of_range(const Field& field, double value) {
  return {field.name, fmt::format("{} is out of range", shortest_number(value)),
          fmt::format("Give {}.", describe_values(field))};
}

// JSON files hold texts as UTF-8, and paths end at a zero byte.
bool is_plain_text(const std::string& text) {
  if (text.find('\0') != std::string::npos) return false;
  try {
    static_cast<void>(Json(text).dump());  // the strict form throws on broken UTF-8
    return true;
  } catch (const Json::type_error&) {
    return false;
  }
}

Problem not_plain(const Field& field, const std::string& text) {
  return {field.name, fmt::format("\"{}\" holds a zero byte or is not UTF-8", printable(text)),
          field.is_path ? "Rename the file or folder." : "Write it as UTF-8."};
}

// A number as text, or as JSON, into the one form that the field stores.
bool to_whole_number(Json& value) {
  if (value.is_number_unsigned()) {
    if (value.get<uint64_t>() > static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) return false;
    value = value.get<int64_t>();
  }
  if (value.is_number_integer()) return true;
  constexpr double kExact = 9007199254740992.0;  // 2^53: every whole number up to here is exact as double
  const double number = value.is_number_float() ? value.get<double>() : 0.5;
  if (std::floor(number) != number || std::abs(number) > kExact) return false;
  value = static_cast<int64_t>(number);
  return true;
}

bool parse_number(std::string_view text, Json& value) {
  text = trimmed(text);
  if (text.starts_with('+')) text.remove_prefix(1);
  const char* end = text.data() + text.size();
  int64_t whole = 0;
  const auto as_whole = std::from_chars(text.data(), end, whole);
  if (as_whole.ec == std::errc() && as_whole.ptr == end) {
    value = whole;
    return true;
  }
  double number = 0;
  const auto as_number = std::from_chars(text.data(), end, number);
  if (as_number.ec != std::errc() || as_number.ptr != end || !std::isfinite(number)) return false;
  value = number;
  return true;
}

bool parse_bool(std::string_view text, Json& value) {
  const std::string_view word = trimmed(text);
  for (const std::string_view yes : {"true", "yes", "on", "1"}) {
    if (word == yes) value = true;
  }
  for (const std::string_view no : {"false", "no", "off", "0"}) {
    if (word == no) value = false;
  }
  return value.is_boolean();
}

bool parse_pairs(const Field& field, std::string_view text, Json& value) {
  value = Json::object();
  for (const std::string& pair : split_at_commas(text)) {
    const std::size_t equals = pair.find('=');
    if (equals == std::string::npos || equals == 0) return false;
    Json item = std::string(trimmed(std::string_view(pair).substr(equals + 1)));
    if (field.kind == FieldKind::kNumberMap && !parse_number(item.get_ref<const std::string&>(), item)) return false;
    const std::string key(trimmed(std::string_view(pair).substr(0, equals)));
    if (value.contains(key)) return false;
    value[key] = std::move(item);
  }
  return true;
}

std::optional<Problem> normalise_choice(const Field& field, const Json& value) {
  const std::string& name = value.get_ref<const std::string&>();
  const auto holds = [&](const std::vector<std::string>& list) {
    return std::find(list.begin(), list.end(), name) != list.end();
  };
  if (holds(field.choices)) return std::nullopt;
  const char* what = holds(field.later_choices) ? "is not available in this version" : "is not a choice";
  return Problem{field.name, fmt::format("\"{}\" {}", printable(name), what),
                 fmt::format("Use {}.", describe_values(field))};
}

std::optional<Problem> normalise_items(const Field& field, Json& value) {
  for (auto& [key, item] : value.items()) {
    if (field.kind == FieldKind::kNumberMap) {
      if (!item.is_number()) return wrong_kind(field, value);
      item = item.get<double>();
      if (!field.range.holds(item.get<double>())) return out_of_range(field, item.get<double>());
    } else if (!item.is_string()) {
      return wrong_kind(field, value);
    } else if (!is_plain_text(item.get_ref<const std::string&>())) {
      return not_plain(field, item.get<std::string>());
    } else if (item.get_ref<const std::string&>().empty()) {
      return Problem{field.name, "an entry is empty", "Take it out or fill it in."};
    }
    if (!is_plain_text(key)) return not_plain(field, key);
  }
  return std::nullopt;
}

std::optional<Problem> normalise_number(const Field& field, Json& value) {
  if (!value.is_number()) return wrong_kind(field, value);
  if (field.kind == FieldKind::kInteger) {
    if (!to_whole_number(value)) return wrong_kind(field, value);
  } else {
    value = value.get<double>();
  }
  if (!field.range.holds(value.get<double>())) return out_of_range(field, value.get<double>());
  return std::nullopt;
}

// Whether a piece of the short forms a,b and a=x,b=y reads back as itself.
bool is_bare(const std::string& text) {
  return !text.empty() && trimmed(text) == text && text.find_first_of(",=[]{}") == std::string::npos;
}

}  // namespace

std::optional<Problem> FieldTable::normalise(const Field& field, Json& value) const {
  if (value.is_null()) value = field.default_value;
  if (value.is_null()) return std::nullopt;  // an unset optional value
  switch (field.kind) {
    case FieldKind::kBool:
      return value.is_boolean() ? std::nullopt : std::optional(wrong_kind(field, value));
    case FieldKind::kInteger:
    case FieldKind::kNumber:
      return normalise_number(field, value);
    case FieldKind::kChoice:
      return value.is_string() ? normalise_choice(field, value) : std::optional(wrong_kind(field, value));
    case FieldKind::kText:
      if (!value.is_string()) return wrong_kind(field, value);
      if (!is_plain_text(value.get_ref<const std::string&>())) return not_plain(field, value.get<std::string>());
      return std::nullopt;
    case FieldKind::kTextList:
      if (value.is_string()) value = Json::array({value});
      if (!value.is_array()) return wrong_kind(field, value);
      return normalise_items(field, value);
    case FieldKind::kTextMap:
    case FieldKind::kNumberMap:
      if (!value.is_object()) return wrong_kind(field, value);
      return normalise_items(field, value);
  }
  throw InternalError("internal fault: a setting of no kind");
}

std::optional<Problem> FieldTable::parse(const Field& field, std::string_view text, Json& value) const {
  value = nullptr;
  const std::string_view bare = trimmed(text);
  if (bare.empty() && field.is_optional) return std::nullopt;
  const bool is_array = bare.starts_with('[') && bare.ends_with(']');
  const bool is_object = bare.starts_with('{') && bare.ends_with('}');
  bool holds = true;
  switch (field.kind) {
    case FieldKind::kBool:
      holds = parse_bool(text, value);
      break;
    case FieldKind::kInteger:
    case FieldKind::kNumber:
      holds = parse_number(text, value);
      break;
    case FieldKind::kChoice:
    case FieldKind::kText:
      value = std::string(text);
      break;
    case FieldKind::kTextList:
    case FieldKind::kTextMap:
    case FieldKind::kNumberMap:
      if (bare.empty()) {
        value = field.kind == FieldKind::kTextList ? Json::array() : Json::object();
      } else if (field.kind == FieldKind::kTextList ? is_array : is_object) {
        try {
          value = parse_json(bare, field.name, {.depth = 4});
        } catch (const Error&) {
          // A folder may really be named "[a]".
          holds = field.is_path;
          value = Json::array({std::string(text)});
        }
      } else if (field.kind != FieldKind::kTextList) {
        holds = parse_pairs(field, text, value);
      } else {
        value = field.is_path ? Json::array({std::string(text)}) : Json(split_at_commas(text));
      }
      break;
  }
  if (!holds) return not_of_kind(field, fmt::format("\"{}\"", printable(text)));
  return normalise(field, value);
}

std::string shortest_number(double value) { return fmt::format("{}", value); }

std::string field_text(const Field& field, const Json& value) {
  if (value.is_null()) return "";
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_float()) return shortest_number(value.get<double>());
  if (!value.is_structured()) return to_text(value);
  if (value.empty()) return "";
  if (field.is_path) {  // commas belong to the path
    const std::string& first = value[0].get_ref<const std::string&>();
    return value.size() == 1 && !first.starts_with('[') && trimmed(first) == first ? first : to_text(value);
  }
  std::vector<std::string> parts;
  for (const auto& [key, item] : value.items()) {
    const std::string shown = item.is_string() ? item.get<std::string>() : shortest_number(item.get<double>());
    if (!is_bare(shown) || (value.is_object() && !is_bare(key))) return to_text(value);
    parts.push_back(value.is_object() ? fmt::format("{}={}", key, shown) : shown);
  }
  return fmt::format("{}", fmt::join(parts, ","));
}

}  // namespace anneal
