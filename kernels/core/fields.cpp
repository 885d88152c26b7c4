#include "kernels/core/fields.h"

#include <algorithm>
#include <cmath>

namespace anneal {

bool FieldRange::holds(double value) const {
  return std::isfinite(value) && value >= least && value <= most && value > above && value < below;
}

std::string FieldRange::text() const {
  const std::string lower = std::isfinite(least)   ? fmt::format("from {}", shortest_number(least))
                            : std::isfinite(above) ? fmt::format("above {}", shortest_number(above))
                                                   : "";
  const std::string upper = std::isfinite(most)    ? fmt::format("to {}", shortest_number(most))
                            : std::isfinite(below) ? fmt::format("below {}", shortest_number(below))
                                                   : "";
  if (lower.empty() || upper.empty()) {
    if (!upper.empty()) return std::isfinite(most) ? fmt::format("at most {}", shortest_number(most)) : upper;
    return std::isfinite(least) ? fmt::format("at least {}", shortest_number(least)) : lower;
  }
  return std::isfinite(least) && std::isfinite(most) ? lower + " " + upper : lower + ", " + upper;
}

std::size_t FieldTable::index_of(std::string_view name) const {
  const auto found =
      std::find_if(fields_.begin(), fields_.end(), [&](const Field& field) { return field.name == name; });
  return static_cast<std::size_t>(found - fields_.begin());
}

const Field* FieldTable::find(std::string_view name) const {
  const std::size_t index = index_of(name);
  return index < fields_.size() ? &fields_[index] : nullptr;
}

const Field* FieldTable::find_flag(std::string_view flag) const {
  const auto found =
      std::find_if(fields_.begin(), fields_.end(), [&](const Field& field) { return flag_of(field) == flag; });
  return found != fields_.end() ? &*found : nullptr;
}

std::vector<std::string> FieldTable::names() const {
  std::vector<std::string> all;
  for (const Field& field : fields_) all.push_back(field.name);
  return all;
}

bool FieldTable::is_for_later(std::string_view name) const {
  return std::any_of(later_.begin(), later_.end(), [&](const LaterName& known) { return known.name == name; });
}

Problem FieldTable::refusal(std::string_view name) const {
  const std::string shown = printable(name);
  const auto later =
      std::find_if(later_.begin(), later_.end(), [&](const LaterName& known) { return known.name == name; });
  if (later != later_.end()) {
    std::vector<std::string> neighbours;
    for (const Field& field : fields_) {
      if (field.group == later->group) neighbours.push_back(field.name);
    }
    return {shown, "is not available in this version",
            fmt::format("Leave it out; there are {}.", fmt::join(neighbours, ", "))};
  }
  std::vector<std::string> known = names();
  for (const LaterName& other : later_) known.push_back(other.name);
  const std::string nearest = nearest_name(name, known);
  const std::string remedy = nearest.empty() ? "Take it out; --help lists the settings."
                             : find(nearest)
                                 ? fmt::format("Did you mean {}?", nearest)
                                 : fmt::format("{} is not available in this version. Leave it out.", nearest);
  return {shown, "there is no such setting", remedy};
}

void FieldTable::add_field(Field field, Access access, const void* defaults) {
  ensure(find(field.name) == nullptr, "a setting is stated twice");
  field.default_value = access.read(defaults);
  fields_.push_back(std::move(field));
  access_.push_back(std::move(access));
}

void FieldTable::add_later(const std::vector<std::string>& names, std::string_view group) {
  for (const std::string& name : names) {
    ensure(find(name) == nullptr, "a setting is stated and refused");
    later_.push_back({name, std::string(group)});
  }
}

void FieldTable::include_table(const FieldTable& part, std::string_view group,
                               const std::function<const void*(const void*)>& find_part, const void* defaults) {
  for (std::size_t i = 0; i < part.fields_.size(); ++i) {
    Field field = part.fields_[i];
    field.group = group;
    const Access& inner = part.access_[i];
    add_field(std::move(field),
              {[read = inner.read, find_part](const void* options) { return read(find_part(options)); },
               // The whole is not const here, so neither is its part.
               [write = inner.write, find_part](void* options, const Json& value) {
                 write(const_cast<void*>(find_part(options)), value);
               }},
              defaults);
  }
  for (const LaterName& name : part.later_) add_later({name.name}, group);
}

Json FieldTable::get_value(const void* options, std::string_view name) const {
  const std::size_t index = index_of(name);
  ensure(index < fields_.size(), "a setting is read that the list does not hold");
  return access_[index].read(options);
}

std::string FieldTable::get_text(const void* options, std::string_view name) const {
  const Json value = get_value(options, name);
  return field_text(fields_[index_of(name)], value);
}

std::optional<Problem> FieldTable::set_value(void* options, std::string_view name, Json value) const {
  const std::size_t index = index_of(name);
  if (index == fields_.size()) return refusal(name);
  if (auto problem = normalise(fields_[index], value)) return problem;
  access_[index].write(options, value);
  return std::nullopt;
}

std::optional<Problem> FieldTable::set_text_value(void* options, std::string_view name, std::string_view text,
                                                  bool adds) const {
  const std::size_t index = index_of(name);
  if (index == fields_.size()) return refusal(name);
  const Field& field = fields_[index];
  Json value;
  if (auto problem = parse(field, text, value)) return problem;
  if (adds && value.is_structured()) {
    Json grown = access_[index].read(options);
    if (grown.is_array()) grown.insert(grown.end(), value.begin(), value.end());
    if (grown.is_object()) grown.update(value);
    if (!grown.is_null()) value = std::move(grown);
  }
  return set_value(options, name, std::move(value));
}

Json FieldTable::all_values(const void* options) const {
  Json object = Json::object();
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    Json value = access_[i].read(options);
    if (!value.is_null()) object[fields_[i].name] = std::move(value);
  }
  return object;
}

std::vector<Problem> FieldTable::read_values(void* options, const Json& object) const {
  if (!object.is_object()) return {{"", "the settings are not a JSON object", "Write {\"name\": value, …}."}};
  std::vector<Problem> problems;
  for (const auto& [name, value] : object.items()) {
    if (auto problem = set_value(options, name, value)) problems.push_back(*std::move(problem));
  }
  return problems;
}

std::vector<Problem> FieldTable::check_values(const void* options) const {
  std::vector<Problem> problems;
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    Json value = access_[i].read(options);
    if (auto problem = normalise(fields_[i], value)) problems.push_back(*std::move(problem));
  }
  return problems;
}

std::vector<std::string> FieldTable::changed_names(const void* options) const {
  std::vector<std::string> changed;
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    if (access_[i].read(options) != fields_[i].default_value) changed.push_back(fields_[i].name);
  }
  return changed;
}

}  // namespace anneal
