// How settings are described to people: the lines of --help, and the words that problems use.
#include <algorithm>

#include "kernels/core/fields.h"

namespace anneal {
namespace {

std::string placeholder(const Field& field) {
  switch (field.kind) {
    case FieldKind::kBool:
      return "true|false";
    case FieldKind::kInteger:
      return "N";
    case FieldKind::kNumber:
      return "X";
    case FieldKind::kText:
      return field.is_path ? "PATH" : "TEXT";
    case FieldKind::kChoice:
      return fmt::format("{}", fmt::join(field.choices, "|"));
    case FieldKind::kTextList:
      return field.is_path ? "PATH" : "A,B,…";
    case FieldKind::kTextMap:
    case FieldKind::kNumberMap:
      return "NAME=VALUE,…";
  }
  return "";
}

std::string facts_text(const Field& field) {
  std::string text = field.range.text();
  std::string standard = field_text(field, field.default_value);
  if (standard.empty()) standard = field.unset;
  if (!standard.empty()) text += fmt::format("{}default: {}", text.empty() ? "" : "; ", standard);
  return text.empty() ? "" : fmt::format(" ({})", text);
}

std::string wrapped(std::string_view text, std::size_t width, std::string_view indent) {
  std::string lines;
  std::size_t column = 0;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    if (column > 0 && column + 1 + word.size() > width) column = 0;
    lines += column > 0 ? " " : lines.empty() ? std::string(indent) : "\n" + std::string(indent);
    column = (column > 0 ? column + 1 : indent.size()) + word.size();
    lines += word;
    text.remove_prefix(std::min(text.size(), word.size() + 1));
  }
  return lines + "\n";
}

}  // namespace

std::string flag_of(const Field& field) {
  std::string flag = "--" + field.name;
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

std::string kind_text(const Field& field) {
  switch (field.kind) {
    case FieldKind::kBool:
      return "true or false";
    case FieldKind::kInteger:
      return "a whole number";
    case FieldKind::kNumber:
      return "a number";
    case FieldKind::kText:
      return field.is_path ? "a path" : "a text";
    case FieldKind::kChoice:
      return fmt::format("one of {}", fmt::join(field.choices, ", "));
    case FieldKind::kTextList:
      return field.is_path ? "a list of paths" : "a list of texts";
    case FieldKind::kTextMap:
      return "a list of names with texts";
    case FieldKind::kNumberMap:
      return "a list of names with numbers";
  }
  return "";
}

std::string describe_values(const Field& field) {
  const std::string range = field.range.text();
  return range.empty() ? kind_text(field) : fmt::format("{}, {}", kind_text(field), range);
}

std::string FieldTable::help_text(int width) const {
  std::string text;
  std::string group;
  for (const Field& field : fields_) {
    if (field.group != group) {
      group = field.group;
      text += fmt::format("{}{}:\n", text.empty() ? "" : "\n", group);
    }
    text += fmt::format("  {} {}\n", flag_of(field), placeholder(field));
    text += wrapped(field.help + facts_text(field), static_cast<std::size_t>(std::max(width, 40)), "      ");
  }
  return text;
}

}  // namespace anneal
