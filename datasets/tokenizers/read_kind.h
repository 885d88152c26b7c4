#pragma once
// Reads the parts of tokenizer.json that come in kinds: {"type": "NFC", …}.

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kernels/core/error.h"
#include "kernels/core/json.h"

namespace anneal::datasets {

template <class Part>
using KindList =
    std::vector<std::pair<std::string, std::function<std::unique_ptr<Part>(const Json&, const std::string& where)>>>;

// Null for a JSON null. Throws Error(kInput) if the type is missing or none of the list.
template <class Part>
std::unique_ptr<Part> read_kind(const KindList<Part>& kinds, const Json& description, const std::string& where) {
  if (description.is_null()) return nullptr;
  const auto type = require<std::string>(description, "type", where);
  std::vector<std::string> names;
  for (const auto& [name, read] : kinds) {
    if (name == type) return read(description, where);
    names.push_back(name);
  }
  const std::string nearest = nearest_name(type, names);
  throw input_error(
      "{}: the type \"{}\" is unknown. {}", where, printable(type),
      nearest.empty() ? "Check that the file comes from a program we can read." : "Did you mean \"" + nearest + "\"?");
}

// The members of the list `key`: visit(member, "where[2]").
template <class Visit>
void for_each_member(const Json& description, const char* key, const std::string& where, Visit visit) {
  const auto found = description.is_object() ? description.find(key) : description.end();
  if (found == description.end() || !found->is_array()) {
    throw input_error("{}: \"{}\" is no list. Get a complete copy of the file.", where, key);
  }
  std::size_t index = 0;
  for (const Json& member : *found) visit(member, fmt::format("{}[{}]", where, index++));
}

}  // namespace anneal::datasets
