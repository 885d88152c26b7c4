#include "datasets/tokenizers/patterns/character_set.h"

#include <fmt/format.h>

#include <utility>

#include "datasets/tokenizers/unicode/character_tables.h"

namespace anneal::datasets {
namespace {

bool is_ascii_alphanumeric(char32_t code) {
  return (code >= '0' && code <= '9') || (code >= 'A' && code <= 'Z') || (code >= 'a' && code <= 'z');
}

CharacterSet of_items(std::string items) {
  CharacterSet set;
  set.items = std::move(items);
  return set;
}

// Code points that PCRE2's Unicode 14 does not know but Oniguruma counts to the category ("L", "Lu", "": any).
std::string newer_members(std::string_view category) {
  CharacterSet set;
  for (const CategoryRange& range : newer_categories()) {
    if (std::string_view(range.category).starts_with(category)) set.add(range.first, range.last);
  }
  return set.items;
}

CharacterSet category_set(std::string_view category) {
  CharacterSet set = of_items(fmt::format("\\p{{{}}}{}", category, newer_members(category)));
  if (category == "C" || category == "Cn") {
    // What PCRE2 takes for unassigned, and so for C, is something else by now.
    CharacterSet assigned;
    for (const CategoryRange& range : newer_categories()) {
      if (category == "Cn" || range.category[0] != 'C') assigned.add(range.first, range.last);
    }
    set.intersections.push_back(assigned.negated());
  }
  return set;
}

struct NamedCategory {
  std::string_view name;  // folded
  std::string_view category;
};
constexpr NamedCategory kCategories[] = {
    {"c", "C"},
    {"other", "C"},
    {"cc", "Cc"},
    {"control", "Cc"},
    {"cf", "Cf"},
    {"format", "Cf"},
    {"cn", "Cn"},
    {"unassigned", "Cn"},
    {"co", "Co"},
    {"privateuse", "Co"},
    {"cs", "Cs"},
    {"surrogate", "Cs"},
    {"l", "L"},
    {"letter", "L"},
    {"ll", "Ll"},
    {"lowercaseletter", "Ll"},
    {"lm", "Lm"},
    {"modifierletter", "Lm"},
    {"lo", "Lo"},
    {"otherletter", "Lo"},
    {"lt", "Lt"},
    {"titlecaseletter", "Lt"},
    {"lu", "Lu"},
    {"uppercaseletter", "Lu"},
    {"m", "M"},
    {"mark", "M"},
    {"combiningmark", "M"},
    {"mc", "Mc"},
    {"spacingmark", "Mc"},
    {"me", "Me"},
    {"enclosingmark", "Me"},
    {"mn", "Mn"},
    {"nonspacingmark", "Mn"},
    {"n", "N"},
    {"number", "N"},
    {"nd", "Nd"},
    {"decimalnumber", "Nd"},
    {"nl", "Nl"},
    {"letternumber", "Nl"},
    {"no", "No"},
    {"othernumber", "No"},
    {"p", "P"},
    {"punctuation", "P"},
    {"pc", "Pc"},
    {"connectorpunctuation", "Pc"},
    {"pd", "Pd"},
    {"dashpunctuation", "Pd"},
    {"pe", "Pe"},
    {"closepunctuation", "Pe"},
    {"pf", "Pf"},
    {"finalpunctuation", "Pf"},
    {"pi", "Pi"},
    {"initialpunctuation", "Pi"},
    {"po", "Po"},
    {"otherpunctuation", "Po"},
    {"ps", "Ps"},
    {"openpunctuation", "Ps"},
    {"s", "S"},
    {"symbol", "S"},
    {"sc", "Sc"},
    {"currencysymbol", "Sc"},
    {"sk", "Sk"},
    {"modifiersymbol", "Sk"},
    {"sm", "Sm"},
    {"mathsymbol", "Sm"},
    {"so", "So"},
    {"othersymbol", "So"},
    {"z", "Z"},
    {"separator", "Z"},
    {"zl", "Zl"},
    {"lineseparator", "Zl"},
    {"zp", "Zp"},
    {"paragraphseparator", "Zp"},
    {"zs", "Zs"},
    {"spaceseparator", "Zs"},
};

// Properties that PCRE2 has under the same name.
constexpr std::string_view kBinaryProperties[] = {
    "cased",
    "caseignorable",
    "dash",
    "diacritic",
    "emoji",
    "emojipresentation",
    "emojimodifier",
    "emojimodifierbase",
    "emojicomponent",
    "extendedpictographic",
    "extender",
    "hexdigit",
    "asciihexdigit",
    "ideographic",
    "unifiedideograph",
    "math",
    "quotationmark",
    "regionalindicator",
    "any",
};

std::string folded(std::string_view name) {
  std::string result;
  for (const char c : name) {
    if (c == ' ' || c == '_' || c == '-') continue;
    result += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 0x20) : c;
  }
  return result;
}

CharacterSet with_ranges(std::string items, std::span<const uint32_t> boundaries) {
  CharacterSet set = of_items(std::move(items));
  for (std::size_t i = 0; i + 1 < boundaries.size(); i += 2) set.add(boundaries[i], boundaries[i + 1] - 1);
  return set;
}

CharacterSet alphabetic_set() { return with_ranges("\\p{L}\\p{Nl}", pattern_alphabetic_boundaries()); }

CharacterSet graph_set() {
  CharacterSet set = white_space_set();
  set.items += "\\p{Cc}\\p{Cs}";
  set.add(category_set("Cn"));
  return set.negated();
}

}  // namespace

void CharacterSet::add(char32_t code) {
  if (is_ascii_alphanumeric(code)) {
    items += static_cast<char>(code);
  } else {
    items += fmt::format("\\x{{{:X}}}", static_cast<uint32_t>(code));
  }
}

void CharacterSet::add(char32_t first, char32_t last) {
  add(first);
  if (first == last) return;
  items += '-';
  add(last);
}

void CharacterSet::add(CharacterSet part) {
  if (part.is_plain() && !part.is_negated) {
    items += part.items;
  } else {
    parts.push_back(std::move(part));
  }
}

CharacterSet CharacterSet::negated() const {
  CharacterSet set = *this;
  set.is_negated = !is_negated;
  return set;
}

std::string CharacterSet::to_pcre2() const {
  if (is_plain()) {
    if (items.empty()) return is_negated ? "(?s:.)" : "(?!)(?s:.)";
    return fmt::format("[{}{}]", is_negated ? "^" : "", items);
  }
  std::string joined = items.empty() ? "" : "[" + items + "]";
  for (const CharacterSet& part : parts) joined += (joined.empty() ? "" : "|") + part.to_pcre2();
  if (joined.empty()) joined = "(?!)(?s:.)";
  std::string text = "(?:";
  for (const CharacterSet& other : intersections) text += "(?=" + other.to_pcre2() + ")";
  text += "(?:" + joined + "))";
  return is_negated ? "(?:(?!" + text + ")(?s:.))" : text;
}

CharacterSet white_space_set() {
  return of_items(
      "\\x{9}-\\x{D}\\x{20}\\x{85}\\x{A0}\\x{1680}\\x{2000}-\\x{200A}\\x{2028}\\x{2029}\\x{202F}\\x{205F}\\x{3000}");
}

CharacterSet word_set() { return with_ranges("\\p{L}\\p{M}\\p{Nd}\\p{Nl}\\p{Pc}", pattern_word_boundaries()); }

CharacterSet digit_set() { return category_set("Nd"); }
CharacterSet hexadecimal_set() { return of_items("0-9a-fA-F"); }

std::optional<CharacterSet> posix_set(std::string_view name) {
  if (name == "alnum") {
    CharacterSet set = alphabetic_set();
    set.add(digit_set());
    return set;
  }
  if (name == "alpha") return alphabetic_set();
  if (name == "ascii") return of_items("\\x{0}-\\x{7F}");
  if (name == "blank") return of_items("\\x{9}\\p{Zs}");
  if (name == "cntrl") return of_items("\\p{Cc}");
  if (name == "digit") return digit_set();
  if (name == "graph") return graph_set();
  if (name == "lower") return of_items("\\p{Lowercase}" + newer_members("Ll"));
  if (name == "print") {
    CharacterSet set = of_items("\\p{Zs}");
    set.add(graph_set());
    return set;
  }
  if (name == "punct") return of_items("\\p{P}\\p{S}" + newer_members("P") + newer_members("S"));
  if (name == "space") return white_space_set();
  if (name == "upper") return of_items("\\p{Uppercase}" + newer_members("Lu"));
  if (name == "word") return word_set();
  if (name == "xdigit") return hexadecimal_set();
  return {};
}

std::optional<CharacterSet> property_set(std::string_view name) {
  const std::string key = folded(name);
  for (const char c : key) {
    if (!is_ascii_alphanumeric(static_cast<unsigned char>(c))) return {};
  }
  if (key.empty()) return {};
  for (const NamedCategory& known : kCategories) {
    if (known.name == key) return category_set(known.category);
  }
  if (key == "lc" || key == "casedletter") {
    return of_items("\\p{Lu}\\p{Ll}\\p{Lt}" + newer_members("Lu") + newer_members("Ll") + newer_members("Lt"));
  }
  if (key == "alphabetic") return alphabetic_set();
  if (key == "whitespace") return white_space_set();
  if (key == "assigned") return category_set("Cn").negated();
  if (key == "punct") return category_set("P");  // without the symbols of [:punct:]
  if (key == "lowercase") return posix_set("lower");
  if (key == "uppercase") return posix_set("upper");
  if (auto set = posix_set(key)) return set;
  for (const std::string_view property : kBinaryProperties) {
    if (property == key) return of_items(fmt::format("\\p{{{}}}", key));
  }
  if (key == "han" || key == "hani") return of_items("\\p{sc:Han}\\x{2B739}\\x{2EBF0}-\\x{2EE5D}\\x{31350}-\\x{323AF}");
  return of_items(fmt::format("\\p{{sc:{}}}", key));
}

std::string pcre2_literal(char32_t code) {
  if (is_ascii_alphanumeric(code)) return std::string(1, static_cast<char>(code));
  return fmt::format("\\x{{{:X}}}", static_cast<uint32_t>(code));
}

}  // namespace anneal::datasets
