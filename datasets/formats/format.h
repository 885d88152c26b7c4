#pragma once
// A format: one way in which people write rows into columns. It lists its roles, the column names each role is known
// by, and how a record becomes a row. Adding one: a file like alpaca.cpp, and a line in format_list.h.

#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/conversation.h"
#include "kernels/core/json.h"

namespace anneal::datasets {

// What a role's column has to hold. Lists and objects may also stand as JSON inside a text, as in tables.
enum class Holds {
  kText,            // a text or a number
  kMessages,        // a list of {"role", "content"}
  kTurns,           // a list of {"from", "value"}
  kTextOrMessages,  // a text, a list of either kind, or one message
  kObject,
  kList,
  kTruth,  // true or false, also 0 or 1 or as a text
  kIds,    // a list of whole numbers
  kAnything,
};

struct Role {
  std::string_view name;                  // the key of a column mapping
  std::vector<std::string_view> columns;  // the names it is known by, best first; upper and lower case are the same
  Holds holds = Holds::kText;
  bool is_required = true;
};

// The row at hand is not what its format asks for; the message says why, without the place and a full stop.
class BadRow : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Under which names messages hold their role and content.
struct MessageKeys {
  std::string role;     // empty: "role" or "from"
  std::string content;  // empty: "content" or "value"
};

// Which column of a file was taken for which role.
struct Binding {
  std::map<std::string, std::string, std::less<>> columns;  // role -> column
  MessageKeys message_keys;
  bool is_table = false;  // every value is a text
};

// One record, seen through the roles of its format. Look-ups throw BadRow where the row does not hold what they ask
// for.
class RowFields {
 public:
  RowFields(const Json& record, const Binding& binding) : record_(record), binding_(binding) {}

  // Null counts as missing.
  bool has(std::string_view role) const { return find(role) != nullptr; }
  const Json& value(std::string_view role) const;  // required
  std::string text(std::string_view role) const;   // required; numbers as they stand
  std::string text_or_empty(std::string_view role) const;
  // A list or object, also one that stands as JSON inside a text; null if missing or an empty text.
  Json structure(std::string_view role) const;
  bool truth(std::string_view role) const;
  const MessageKeys& message_keys() const { return binding_.message_keys; }
  bool is_table() const { return binding_.is_table; }
  // A column that is no role, by its own name; nullptr if missing or null.
  const Json* column(std::string_view name) const;

 private:
  const Json* find(std::string_view role) const;

  const Json& record_;
  const Binding& binding_;
};

struct Format {
  std::string_view name;         // "alpaca"
  std::string_view description;  // for the person, after "rows of": "an instruction and its answer"
  std::vector<Role> roles;
  RowContent (*read)(const RowFields& fields);
  std::vector<std::string_view> needs_one_of = {};  // optional roles of which one has to be there
};

// Whether a column with this value can play a role that asks for `holds`.
bool fits(Holds holds, const Json& value);

// Texts that hold a JSON list or object become that; everything else stays. Never throws.
Json unpacked_text(const Json& value);

std::optional<bool> as_truth(const Json& value);
// A text, or a number as it stands; empty for anything else.
std::optional<std::string> as_text(const Json& value);

}  // namespace anneal::datasets
