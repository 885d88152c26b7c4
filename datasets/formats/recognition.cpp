#include "datasets/formats/recognition.h"

#include <algorithm>
#include <set>
#include <unordered_map>

#include "datasets/formats/format_list.h"
#include "kernels/core/error.h"

namespace anneal::datasets {
namespace {

constexpr std::string_view kRoleKey = "role";
constexpr std::string_view kContentKey = "content";

// The columns of the first records, in the file's order, each with the first value in it that says something.
class Columns {
 public:
  explicit Columns(std::span<const Record* const> records) {
    std::unordered_map<std::string, std::size_t> places;  // a hostile record may have very many columns
    for (const Record* record : records) {
      for (const auto& [name, value] : record->columns.items()) {
        const auto [place, is_new] = places.emplace(name, columns_.size());
        if (is_new) {
          columns_.push_back({name, &value});
        } else if (says_nothing(*columns_[place->second].sample)) {
          columns_[place->second].sample = &value;
        }
      }
    }
  }

  struct Column {
    std::string name;
    const Json* sample;
  };
  // The column itself, or one that differs in upper and lower case only; nullptr if there is none.
  const Column* find(std::string_view name) const {
    for (const Column& column : columns_) {
      if (column.name == name) return &column;
    }
    for (const Column& column : columns_) {
      if (is_same_but_for_case(column.name, name)) return &column;
    }
    return nullptr;
  }
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const Column& column : columns_) names.push_back(column.name);
    return names;
  }
  // "\"a\", \"b\""
  std::string listed() const {
    std::string list;
    for (std::size_t i = 0; i < columns_.size() && i < 20; ++i) {
      list += fmt::format("{}\"{}\"", i == 0 ? "" : ", ", printable(columns_[i].name, 40));
    }
    return columns_.size() > 20 ? list + ", …" : list;
  }

 private:
  static bool says_nothing(const Json& value) {
    return value.is_null() || (value.is_structured() && value.empty()) ||
           (value.is_string() && value.get_ref<const std::string&>().empty());
  }
  static bool is_same_but_for_case(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
  }

  std::vector<Column> columns_;
};

bool fits_column(const Role& role, const Columns::Column& column) {
  return column.sample->is_null() || fits(role.holds, *column.sample);
}

bool has_what_it_needs(const Format& format, const Binding& binding) {
  const auto is_bound = [&](std::string_view role) { return binding.columns.count(role) > 0; };
  for (const Role& role : format.roles) {
    if (role.is_required && !is_bound(role.name)) return false;
  }
  return format.needs_one_of.empty() || std::any_of(format.needs_one_of.begin(), format.needs_one_of.end(), is_bound);
}

// Each role takes the first of its names that is there and fits.
std::optional<Binding> bind_by_name(const Format& format, const Columns& columns) {
  Binding binding;
  std::set<std::string> taken;
  for (const Role& role : format.roles) {
    for (const std::string_view name : role.columns) {
      const Columns::Column* column = columns.find(name);
      if (column == nullptr || taken.count(column->name) > 0 || !fits_column(role, *column)) continue;
      if (role.is_required && column->sample->is_null()) continue;
      binding.columns.emplace(role.name, column->name);
      taken.insert(column->name);
      break;
    }
  }
  if (!has_what_it_needs(format, binding)) return std::nullopt;
  return binding;
}

std::optional<Binding> bind_by_mapping(const Format& format, const Columns& columns, const ColumnMapping& mapping) {
  Binding binding;
  for (const auto& [key, column_name] : mapping) {
    if (key == kRoleKey || key == kContentKey) {
      (key == kRoleKey ? binding.message_keys.role : binding.message_keys.content) = column_name;
      continue;
    }
    const auto role = std::find_if(format.roles.begin(), format.roles.end(),
                                   [&key = key](const Role& one) { return one.name == key; });
    if (role == format.roles.end()) return std::nullopt;
    const bool has_own_keys = mapping.count(std::string(kRoleKey)) > 0 || mapping.count(std::string(kContentKey)) > 0;
    const bool is_turns = role->holds == Holds::kMessages || role->holds == Holds::kTurns;
    const Columns::Column* column = columns.find(column_name);
    if (column != nullptr && !(has_own_keys && is_turns) && !fits_column(*role, *column)) return std::nullopt;
    binding.columns.emplace(key, column == nullptr ? column_name : column->name);
  }
  if (!has_what_it_needs(format, binding)) return std::nullopt;
  return binding;
}

std::string columns_of(const Format& format, const Binding& binding) {
  std::string list;
  for (const Role& role : format.roles) {
    const auto bound = binding.columns.find(role.name);
    if (bound == binding.columns.end()) continue;
    list += fmt::format("{}\"{}\"", list.empty() ? "" : ", ", printable(bound->second, 40));
  }
  return list;
}

std::set<std::string> known_keys() {
  std::set<std::string> keys = {std::string(kRoleKey), std::string(kContentKey)};
  for (const auto& format : kFormats) {
    for (const Role& role : format().roles) keys.emplace(role.name);
  }
  return keys;
}

void check_mapped_columns_exist(const ColumnMapping& mapping, const Columns& columns, const std::string& path) {
  for (const auto& [key, name] : mapping) {
    if (key == kRoleKey || key == kContentKey || columns.find(name) != nullptr) continue;
    const std::string nearest = nearest_name(name, columns.names());
    throw input_error(
        "{}: has no column \"{}\", which `columns` names as {}. {}It has {}.", printable(path, 400), printable(name),
        key, nearest.empty() ? "" : fmt::format("Did you mean \"{}\"? ", printable(nearest)), columns.listed());
  }
}

}  // namespace

void check_mapping(const ColumnMapping& mapping) {
  const std::set<std::string> keys = known_keys();
  for (const auto& [key, name] : mapping) {
    if (keys.count(key) > 0) continue;
    const std::vector<std::string> list(keys.begin(), keys.end());
    const std::string nearest = nearest_name(key, list);
    throw input_error("columns: \"{}\" is no role of a column. {}", printable(key),
                      nearest.empty() ? fmt::format("Known: {}.", fmt::join(list, ", "))
                                      : fmt::format("Did you mean \"{}\"?", nearest));
  }
}

Recognition recognise_format(std::span<const Record* const> first_records, const ColumnMapping& mapping, bool is_table,
                             const std::string& path) {
  const Columns columns(first_records);
  if (!mapping.empty()) check_mapped_columns_exist(mapping, columns, path);
  Recognition recognition;
  std::vector<std::string_view> others;
  for (const auto& make_format : kFormats) {
    const Format& format = make_format();
    std::optional<Binding> binding =
        mapping.empty() ? bind_by_name(format, columns) : bind_by_mapping(format, columns, mapping);
    if (!binding) continue;
    if (recognition.format != nullptr) {
      others.push_back(format.name);
      continue;
    }
    recognition.format = &format;
    recognition.binding = *std::move(binding);
    recognition.binding.is_table = is_table;
  }
  if (recognition.format == nullptr) {
    throw input_error(
        "{}: its columns {} are in no known format. Say what they are for, as in "
        "columns={{\"prompt\":\"question\",\"completion\":\"answer\"}}.",
        printable(path, 400), columns.listed());
  }
  recognition.reason = fmt::format("columns {} were taken as {}", columns_of(*recognition.format, recognition.binding),
                                   recognition.format->description);
  if (!others.empty()) {
    recognition.reason += fmt::format(" (also possible: {}; `columns` decides)", fmt::join(others, ", "));
  }
  return recognition;
}

}  // namespace anneal::datasets
