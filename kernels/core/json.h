#pragma once
// JSON from files that other people wrote. Strict: a key given twice, a broken escape, invalid UTF-8 or text after the
// value is refused with line and column. nlohmann's own parser keeps the last of duplicate keys in silence.

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace anneal {

using Json = nlohmann::ordered_json;  // keeps the order of keys, as other programs expect

struct JsonLimits {
  int depth = 512;
  bool allow_duplicate_keys = false;              // the last one wins then
  std::string_view remedy = "Correct it there.";  // the last sentence of a refusal
};

// `where` names the text in errors, for example "config.json" or "data.jsonl:7" (then only the column is added).
// Throws Error(kInput): "config.json:3:14: key \"a\" stands twice. Keep one."
Json parse_json(std::string_view text, std::string_view where, const JsonLimits& limits = {});

// Reads a whole file as JSON; a UTF-8 byte-order mark is passed over.
Json read_json_file(const std::string& path, const JsonLimits& limits = {});

// Compact, UTF-8, numbers in their shortest form that reads back exactly; non-finite numbers become null.
std::string to_text(const Json& value);

// Member look-up with a sentence when it is missing or of another kind: require<int64_t>(config, "hidden_size",
// "config.json").
template <class T>
T require(const Json& object, const char* key, std::string_view where);
template <class T>
T value_or(const Json& object, const char* key, T fallback, std::string_view where);  // null counts as missing

}  // namespace anneal

#include "kernels/core/json_members.h"  // IWYU pragma: export
