#pragma once
// A set of characters in a pattern, as a tree, and its text for PCRE2.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace anneal::datasets {

struct CharacterSet {
  bool is_negated = false;
  std::string items;                        // what stands between [ and ], already in PCRE2's terms
  std::vector<CharacterSet> parts;          // joined with the items
  std::vector<CharacterSet> intersections;  // and with all of these

  void add(char32_t code);
  void add(char32_t first, char32_t last);
  void add(CharacterSet part);  // a plain one becomes items
  CharacterSet negated() const;

  // One PCRE2 atom that matches exactly one character.
  std::string to_pcre2() const;

 private:
  bool is_plain() const { return parts.empty() && intersections.empty(); }
};

CharacterSet white_space_set();
CharacterSet word_set();
CharacterSet digit_set();
CharacterSet hexadecimal_set();

// \p{name}: a general category, a POSIX name, a binary property or a script. Nothing if the name is not well-formed.
std::optional<CharacterSet> property_set(std::string_view name);
// [:name:]; nothing if there is none of that name.
std::optional<CharacterSet> posix_set(std::string_view name);

// A character outside of a class.
std::string pcre2_literal(char32_t code);

}  // namespace anneal::datasets
