#pragma once
// Settings: each is stated once, in one list per options struct, and everything else is made from that list: JSON in
// both directions, `--set name=text`, the lines of --help, a form, checks of kind, range and choice, refusal of unknown
// names.
//
//   const FieldList<OptimizerOptions>& optimizer_fields() {
//     static const auto list = [] {
//       FieldList<OptimizerOptions> fields;
//       fields.add({.name = "adam_beta1", .help = "Decay of the first moment.", .range = {.least = 0, .below = 1}},
//                  &OptimizerOptions::adam_beta1);
//       return fields;
//     }();
//     return list;
//   }
//
// Members may be bool, int64_t, double, std::string, an enum (with its ChoiceOf list), lists of texts, maps from text
// to text or number, and std::optional of any of these: an unset value means "decided later", and `unset` says how.
// Defaults are those of a default-made struct. Values travel as Json; numbers are printed in their shortest form that
// reads back exactly. A list is immutable once made, so that any thread may read it.

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/core/error.h"
#include "kernels/core/field_values.h"
#include "kernels/core/json.h"

namespace anneal {

// Of numbers, and of the numbers in a map. `above` and `below` leave their bound out.
struct FieldRange {
  double least = -std::numeric_limits<double>::infinity();
  double above = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  double below = std::numeric_limits<double>::infinity();
  bool holds(double value) const;  // false for NaN and infinities
  std::string text() const;        // "from 0, below 1"; empty without bounds
};

// A setting without its type: what a form or --help has to know. The author fills the first part; add() the second.
struct Field {
  std::string name;
  std::string help = {};  // one or two sentences
  FieldRange range = {};
  std::vector<std::string> choices = {};        // for texts; an enum brings its own
  std::vector<std::string> later_choices = {};  // known in the field, refused here as "not available in this version"
  std::string unset = {};  // what an unset value comes to, for people: "2e-4 for lora, 2e-5 for full"
  bool is_path = false;    // text and lists: paths; never split at commas

  FieldKind kind = FieldKind::kText;
  bool is_optional = false;
  Json default_value = {};  // null: unset
  std::string group = {};   // the heading that it stands under
};

// Reads and writes whole structs whose type it does not know; FieldList<Options> below puts the type on.
class FieldTable {
 public:
  const std::vector<Field>& fields() const { return fields_; }
  const Field* find(std::string_view name) const;       // null if unknown
  const Field* find_flag(std::string_view flag) const;  // "--learning-rate" finds learning_rate
  std::vector<std::string> names() const;

  // One value as this field wants it (1000.0 becomes 1000 for a whole number, "a" becomes ["a"] for a list, null the
  // default), or what is wrong with it.
  std::optional<Problem> normalise(const Field& field, Json& value) const;
  // The value that a text stands for. Booleans: true false yes no on off 1 0; lists: a,b or JSON; maps: a=1,b=2 or
  // JSON; an empty text is unset for optional values and an empty list or map.
  std::optional<Problem> parse(const Field& field, std::string_view text, Json& value) const;
  // Why a name is refused: a typing error, or something that this version does not have.
  Problem refusal(std::string_view name) const;
  bool is_for_later(std::string_view name) const;  // the second of these

  // One setting a paragraph: "--lora-rank N", then the help with range or choices and the default, wrapped at `width`.
  std::string help_text(int width = 100) const;

 protected:
  using Read = std::function<Json(const void*)>;
  using Write = std::function<void(void*, const Json&)>;
  struct Access {
    Read read;
    Write write;
  };

  void add_field(Field field, Access access, const void* defaults);
  void add_later(const std::vector<std::string>& names, std::string_view group);
  void include_table(const FieldTable& part, std::string_view group,
                     const std::function<const void*(const void*)>& find, const void* defaults);
  Json get_value(const void* options, std::string_view name) const;
  std::string get_text(const void* options, std::string_view name) const;
  std::optional<Problem> set_value(void* options, std::string_view name, Json value) const;
  std::optional<Problem> set_text_value(void* options, std::string_view name, std::string_view text, bool adds) const;
  Json all_values(const void* options) const;
  std::vector<Problem> read_values(void* options, const Json& object) const;
  std::vector<Problem> check_values(const void* options) const;
  std::vector<std::string> changed_names(const void* options) const;

 private:
  std::size_t index_of(std::string_view name) const;  // fields_.size() if unknown

  std::vector<Field> fields_;
  std::vector<Access> access_;
  struct LaterName {
    std::string name;
    std::string group;
  };
  std::vector<LaterName> later_;
};

template <class Options>
class FieldList : public FieldTable {
 public:
  // States a setting. `member` gives kind and default.
  template <class T>
  void add(Field field, T Options::*member) {
    using Value = FieldValue<T>;
    field.kind = Value::kKind;
    field.is_optional = Value::kIsOptional;
    if constexpr (Value::kKind == FieldKind::kChoice) field.choices = Value::names();
    if (!field.choices.empty() && field.kind == FieldKind::kText) field.kind = FieldKind::kChoice;
    const Options defaults{};
    add_field(std::move(field),
              {[member](const void* options) { return Value::to_json(static_cast<const Options*>(options)->*member); },
               [member](void* options, const Json& value) {
                 Value::from_json(value, static_cast<Options*>(options)->*member);
               }},
              &defaults);
  }
  // Takes in the settings of a part under a heading.
  template <class Part>
  void include(std::string_view group, Part Options::*member, const FieldList<Part>& part) {
    const Options defaults{};
    include_table(
        part, group,
        [member](const void* options) -> const void* { return &(static_cast<const Options*>(options)->*member); },
        &defaults);
  }
  // Names that people know from elsewhere and that this version does not have: refused by name, never in silence.
  void later(const std::vector<std::string>& names) { add_later(names, ""); }

  Json get(const Options& options, std::string_view name) const { return get_value(&options, name); }
  // Each leaves the options as they were where it returns a problem.
  std::optional<Problem> set(Options& options, std::string_view name, Json value) const {
    return set_value(&options, name, std::move(value));
  }
  std::optional<Problem> set_text(Options& options, std::string_view name, std::string_view text) const {
    return set_text_value(&options, name, text, false);
  }
  // As set_text, but a list or map grows: for a flag that may be given several times.
  std::optional<Problem> add_text(Options& options, std::string_view name, std::string_view text) const {
    return set_text_value(&options, name, text, true);
  }
  // The value as a text that set_text reads back; empty if unset.
  std::string text(const Options& options, std::string_view name) const { return get_text(&options, name); }

  Json to_json(const Options& options) const { return all_values(&options); }  // unset values are left out
  // Sets what the object holds and reports all that is wrong; what is wrong is not set.
  std::vector<Problem> from_json(const Json& object, Options& options) const { return read_values(&options, object); }
  // Ranges and choices of options that were filled in by code.
  std::vector<Problem> check(const Options& options) const { return check_values(&options); }
  std::vector<std::string> changed(const Options& options) const {
    return changed_names(&options);
  }  // from the default
};

std::string flag_of(const Field& field);                        // "--learning-rate"
std::string kind_text(const Field& field);                      // "a whole number", "one of cosine, linear"
std::string describe_values(const Field& field);                // the same with its range: "a whole number, at least 1"
std::string field_text(const Field& field, const Json& value);  // as FieldList::text()
std::string shortest_number(double value);                      // "0.0002", "1e-05", "3"

}  // namespace anneal
