#include "datasets/tokenizers/patterns/oniguruma_pattern.h"

#include <optional>
#include <utility>

#include "datasets/tokenizers/patterns/character_set.h"
#include "datasets/tokenizers/patterns/pattern_reader.h"
#include "datasets/tokenizers/unicode/utf8.h"
#include "kernels/core/error.h"

namespace anneal::datasets {
namespace {

constexpr int kDeepestNesting = 200;

// Recursive descent; each step gives back PCRE2 text that is one atom, or a sequence for alternatives.
class Translator {
 public:
  Translator(const std::string& pattern, const std::string& where) : reader_(pattern, where) {
    for (std::size_t at = pattern.find("(?"); at != std::string::npos; at = pattern.find("(?", at + 1)) {
      const std::string_view next = std::string_view(pattern).substr(at + 2, 2);
      const bool is_look_behind = next == "<=" || next == "<!";
      has_named_groups_ = has_named_groups_ || (next.starts_with('<') && !is_look_behind) || next.starts_with('\'');
    }
  }

  std::string translate() {
    std::string text = alternatives();
    if (!reader_.at_end()) reader_.fail("has a \")\" too many");
    return text;
  }

 private:
  std::string alternatives() {
    if (++depth_ > kDeepestNesting) reader_.fail("is nested too deeply");
    const bool outer_extended = extended_;
    std::string text;
    int open_options = 0;  // isolated options reach to the group's end, over its alternatives
    while (!reader_.at_end() && reader_.peek() != ')') {
      if (reader_.take('|')) {
        text += '|';
      } else if (auto options = isolated_options()) {
        text += *options;
        ++open_options;
      } else {
        text += quantified();
      }
    }
    text.append(static_cast<std::size_t>(open_options), ')');
    extended_ = outer_extended;
    --depth_;
    return text;
  }

  std::string quantified() {
    std::string text = atom();
    bool is_quantified = false;
    while (!text.empty()) {
      skip_extended();
      const auto quantifier = reader_.quantifier();
      if (!quantifier) break;
      // A second quantifier takes the first with its atom as one.
      text = is_quantified ? "(?:" + text + ")" + *quantifier : text + *quantifier;
      is_quantified = true;
    }
    return text;
  }

  // In extended form, blanks and comments mean nothing.
  void skip_extended() {
    while (extended_ && !reader_.at_end()) {
      const char next = reader_.peek();
      if (next == '#') {
        while (!reader_.at_end() && reader_.peek() != '\n') reader_.next();
      } else if (next == ' ' || (next >= '\t' && next <= '\r')) {
        reader_.next();
      } else {
        return;
      }
    }
  }

  // Empty for what matches nothing at all, such as a comment.
  std::string atom() {
    skip_extended();
    if (reader_.at_end() || reader_.peek() == ')' || reader_.peek() == '|') return {};
    if (reader_.take('(')) return group();
    if (reader_.take('[')) return reader_.character_class().to_pcre2();
    if (reader_.take('.')) return ".";
    if (reader_.take('^')) return "^";
    if (reader_.take('$')) return "$";
    if (reader_.take('\\')) return escape();
    const char next = reader_.peek();
    if (next == '*' || next == '+' || next == '?') reader_.fail("has a quantifier with nothing to repeat");
    return pcre2_literal(reader_.next());
  }

  std::string close(std::string opening) {
    opening += alternatives();
    if (!reader_.take(')')) reader_.fail("lacks a \")\"");
    return opening + ")";
  }

  std::string group() {
    if (!reader_.take('?')) return close(has_named_groups_ ? "(?:" : "(");
    for (const std::string_view kind : {":", "=", "!", ">", "<=", "<!"}) {
      if (reader_.take(kind)) return close("(?" + std::string(kind));
    }
    if (reader_.take('#')) {
      while (!reader_.at_end() && reader_.peek() != ')') reader_.next();
      if (!reader_.take(')')) reader_.fail("lacks a \")\"");
      return {};
    }
    if (reader_.take('<')) return close("(?<" + reader_.until('>') + ">");
    if (reader_.take('\'')) return close("(?<" + reader_.until('\'') + ">");
    const bool outer_extended = extended_;
    const std::string flags = options();
    if (!reader_.take(':')) reader_.fail("uses a kind of group that is not supported");
    std::string text = close("(?" + flags + ":");
    extended_ = outer_extended;
    return text;
  }

  // "(?i)": gives back the opening of a group that alternatives() closes.
  std::optional<std::string> isolated_options() {
    const std::size_t start = reader_.position();
    const bool outer_extended = extended_;
    if (reader_.take("(?") && !reader_.at_end() && std::string_view("imx-").find(reader_.peek()) != std::string::npos) {
      const std::string flags = options();
      if (reader_.take(')')) return "(?" + flags + ":";
    }
    extended_ = outer_extended;
    reader_.go_back_to(start);
    return {};
  }

  // "im-x" in PCRE2's letters; x is dealt with here.
  std::string options() {
    std::string flags;
    bool is_on = true;
    while (!reader_.at_end() && reader_.peek() != ':' && reader_.peek() != ')') {
      const char32_t option = reader_.next();
      if (option == '-' && is_on) {
        is_on = false;
        flags += '-';
      } else if (option == 'i') {
        flags += 'i';
      } else if (option == 'm') {
        flags += 's';
      } else if (option == 'x') {
        extended_ = is_on;
      } else {
        reader_.fail("uses an option that is not supported");
      }
    }
    return flags == "-" ? "" : flags;
  }

  std::string escape() {
    if (reader_.at_end()) reader_.fail("ends in a backslash");
    const char next = reader_.peek();
    if (auto set = reader_.class_escape()) return set->to_pcre2();
    if (std::string_view("AZzGKRXN").find(next) != std::string::npos) {
      reader_.next();
      return std::string("\\") + next;
    }
    if (next == 'b' || next == 'B') {
      reader_.next();
      return word_boundary(next == 'B');
    }
    if (reader_.take('O')) return "(?s:.)";
    if (reader_.take("k<")) return "\\k{" + reader_.until('>') + "}";
    if (next == 'y' || next == 'Y' || next == 'g' || next == 'k') reader_.fail("uses a sign that is not supported");
    if (next >= '1' && next <= '9') {
      std::string number;
      while (!reader_.at_end() && reader_.peek() >= '0' && reader_.peek() <= '9') {
        number += static_cast<char>(reader_.next());
      }
      return "\\g{" + number + "}";
    }
    return pcre2_literal(reader_.character_escape());
  }

  static std::string word_boundary(bool is_negated) {
    const std::string word = word_set().to_pcre2();
    return is_negated ? "(?:(?<=" + word + ")(?=" + word + ")|(?<!" + word + ")(?!" + word + "))"
                      : "(?:(?<=" + word + ")(?!" + word + ")|(?<!" + word + ")(?=" + word + "))";
  }

  PatternReader reader_;
  bool extended_ = false;
  bool has_named_groups_ = false;
  int depth_ = 0;
};

}  // namespace

std::string translate_oniguruma_pattern(const std::string& pattern, const std::string& where) {
  if (!is_valid_utf8(pattern)) {
    throw input_error("{}: the regular expression \"{}\" is no UTF-8. Get another copy of the file.", where,
                      printable(pattern, 200));
  }
  return Translator(pattern, where).translate();
}

}  // namespace anneal::datasets
