#include "datasets/templates/jinja/lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "datasets/templates/jinja/number_text.h"
#include "datasets/templates/jinja/string_escapes.h"
#include "datasets/templates/jinja/unicode.h"
#include "kernels/core/error.h"

namespace anneal::datasets::jinja {
namespace {

std::string with_plain_newlines(std::string_view source) {
  std::string text;
  text.reserve(source.size());
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (source[i] == '\r') {
      if (i + 1 < source.size() && source[i + 1] == '\n') continue;
      text += '\n';
    } else {
      text += source[i];
    }
  }
  if (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

class Lexer {
 public:
  explicit Lexer(std::string_view source) : source_(with_plain_newlines(source)) {}

  std::vector<Token> run() {
    while (at_ < source_.size()) read_root();
    add(TokenKind::kEnd);
    return std::move(tokens_);
  }

 private:
  enum class Tag { kBlock, kVariable };

  std::string_view rest() const { return std::string_view(source_).substr(at_); }
  bool looks_at(std::string_view text) const { return rest().starts_with(text); }
  [[noreturn]] void fail(const std::string& what) const { throw SyntaxFault(line_, what); }

  void add(TokenKind kind, std::string text = {}) { tokens_.push_back({kind, line_, std::move(text), 0, 0.0}); }

  // Goes on by `size` bytes, counting lines.
  void pass(std::size_t size) {
    line_ += static_cast<int>(std::count(source_.begin() + static_cast<std::ptrdiff_t>(at_),
                                         source_.begin() + static_cast<std::ptrdiff_t>(at_ + size), '\n'));
    at_ += size;
    starts_line_ = size > 0 && source_[at_ - 1] == '\n';
  }
  std::size_t size_of_space(std::size_t from) const {
    std::size_t end = from;
    while (end < source_.size()) {
      const Character character = character_at(source_, end);
      if (!is_space(character.code)) break;
      end += character.size;
    }
    return end - from;
  }

  // Text up to the next tag, and the beginning of that tag.
  void read_root() {
    const std::size_t begin = at_;
    std::size_t tag = begin;
    for (;; ++tag) {
      tag = source_.find('{', tag);
      if (tag == std::string::npos || tag + 1 >= source_.size()) return read_data_to_end();
      const char next = source_[tag + 1];
      if (next == '%' || next == '{' || next == '#') break;
    }
    const char opened = source_[tag + 1];
    std::size_t after = tag + 2;
    char sign = ' ';
    if (after < source_.size() && (source_[after] == '-' || source_[after] == '+')) sign = source_[after++];
    add_data(std::string_view(source_).substr(begin, tag - begin), sign, opened != '{');
    pass(after - begin);
    if (opened == '#') return pass_comment();
    if (opened == '{') return read_tag(Tag::kVariable);
    if (const std::size_t raw = raw_begin()) return read_raw(raw);
    read_tag(Tag::kBlock);
  }

  void read_data_to_end() {
    add_data(rest(), '+', false);
    pass(source_.size() - at_);
  }

  // "-" takes all white space before the tag; without a sign a block takes what stands before it on its own line.
  void add_data(std::string_view text, char sign, bool may_strip_line) {
    if (sign == '-') {
      while (!text.empty()) {
        const Character last = character_before(text, text.size());
        if (!is_space(last.code)) break;
        text.remove_suffix(last.size);
      }
    } else if (sign != '+' && may_strip_line) {
      const std::size_t newline = text.rfind('\n');
      const std::size_t line_begin = newline == std::string_view::npos ? 0 : newline + 1;
      const bool blank = is_blank(text.substr(line_begin));
      if ((line_begin > 0 || starts_line_) && blank) text = text.substr(0, line_begin);
    }
    if (!text.empty()) add(TokenKind::kData, std::string(text));
  }
  static bool is_blank(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
      const Character character = character_at(text, at);
      if (!is_space(character.code)) return false;
      at += character.size;
    }
    return true;
  }

  void pass_comment() {
    for (std::size_t end = at_; end < source_.size(); ++end) {
      const std::string_view here = std::string_view(source_).substr(end);
      if (here.starts_with("-#}")) return pass(end + 3 + size_of_space(end + 3) - at_);
      if (here.starts_with("+#}")) return pass(end + 3 - at_);
      if (here.starts_with("#}")) return pass(end + 2 + newline_at(end + 2) - at_);
    }
    fail("a comment has no end (#})");
  }
  std::size_t newline_at(std::size_t place) const { return place < source_.size() && source_[place] == '\n' ? 1 : 0; }

  // The size of "raw %}" and what it strips, if that is what stands here; else 0.
  std::size_t raw_begin() const {
    std::size_t end = at_ + size_of_space(at_);
    if (!std::string_view(source_).substr(end).starts_with("raw")) return 0;
    end += 3 + size_of_space(end + 3);
    const std::string_view here = std::string_view(source_).substr(end);
    if (here.starts_with("-%}")) return end + 3 + size_of_space(end + 3) - at_;
    return here.starts_with("%}") ? end + 2 - at_ : 0;
  }

  void read_raw(std::size_t begin_size) {
    pass(begin_size);
    const std::size_t begin = at_;
    for (std::size_t tag = source_.find("{%", begin); tag != std::string::npos; tag = source_.find("{%", tag + 1)) {
      std::size_t end = tag + 2;
      char sign = ' ';
      if (end < source_.size() && (source_[end] == '-' || source_[end] == '+')) sign = source_[end++];
      end += size_of_space(end);
      if (!std::string_view(source_).substr(end).starts_with("endraw")) continue;
      end += 6 + size_of_space(end + 6);
      const std::string_view here = std::string_view(source_).substr(end);
      if (here.starts_with("+%}")) {
        end += 3;
      } else if (here.starts_with("-%}")) {
        end += 3 + size_of_space(end + 3);
      } else if (here.starts_with("%}")) {
        end += 2 + newline_at(end + 2);
      } else {
        continue;
      }
      add_data(std::string_view(source_).substr(begin, tag - begin), sign, true);
      return pass(end - begin);
    }
    fail("{% raw %} has no end ({% endraw %})");
  }

  void read_tag(Tag tag) {
    add(tag == Tag::kBlock ? TokenKind::kBlockBegin : TokenKind::kVariableBegin);
    std::vector<char> open;
    while (at_ < source_.size()) {
      if (open.empty() && (tag == Tag::kBlock ? ends_block() : ends_variable())) return;
      if (const std::size_t space = size_of_space(at_)) {
        pass(space);
        continue;
      }
      if (!read_number() && !read_name() && !read_text()) read_operator(open);
    }
    // The parser says what was expected.
  }

  bool ends_block() {
    std::size_t size = 0;
    if (looks_at("+%}")) size = 3;
    if (looks_at("-%}")) size = 3 + size_of_space(at_ + 3);
    if (looks_at("%}")) size = 2 + newline_at(at_ + 2);
    if (size == 0) return false;
    add(TokenKind::kBlockEnd);
    pass(size);
    return true;
  }
  bool ends_variable() {
    std::size_t size = 0;
    if (looks_at("-}}")) size = 3 + size_of_space(at_ + 3);
    if (looks_at("}}")) size = 2;
    if (size == 0) return false;
    add(TokenKind::kVariableEnd);
    pass(size);
    return true;
  }

  bool read_number() {
    // "a.0.1" holds two integers, not a float.
    const bool after_dot = at_ > 0 && source_[at_ - 1] == '.';
    const std::size_t real = after_dot ? 0 : size_of_real(rest());
    const std::size_t size = real != 0 ? real : size_of_integer(rest());
    if (size == 0) return false;
    std::string digits(rest().substr(0, size));
    std::erase(digits, '_');
    add(real != 0 ? TokenKind::kFloat : TokenKind::kInteger);
    if (real != 0) {
      tokens_.back().real = *parse_real(digits);
    } else {
      const std::optional<Integer> integer = parse_integer(digits, 0);
      if (!integer) fail(fmt::format("the number {} is too large", printable(digits, 60)));
      tokens_.back().integer = *integer;
    }
    pass(size);
    return true;
  }

  bool read_name() {
    std::size_t end = at_;
    while (end < source_.size()) {
      const Character character = character_at(source_, end);
      if (!is_word(character.code) && !is_identifier_part(character.code)) break;
      end += character.size;
    }
    if (end == at_) return false;
    std::string name(rest().substr(0, end - at_));
    for (std::size_t at = 0; at < name.size();) {
      const Character character = character_at(name, at);
      const bool fits = at == 0 ? is_identifier_start(character.code) : is_identifier_part(character.code);
      if (!fits) fail(fmt::format("'{}' is not a name", printable(name)));
      at += character.size;
    }
    add(TokenKind::kName, name);
    pass(end - at_);
    return true;
  }

  bool read_text() {
    const char quote = source_[at_];
    if (quote != '\'' && quote != '"') return false;
    std::size_t end = at_ + 1;
    while (end < source_.size() && source_[end] != quote) end += source_[end] == '\\' ? 2 : 1;
    if (end >= source_.size()) fail("a text in quotes has no end");
    add(TokenKind::kText, resolve_escapes(rest().substr(1, end - at_ - 1), line_));
    pass(end + 1 - at_);
    return true;
  }

  void read_operator(std::vector<char>& open) {
    constexpr std::array<std::string_view, 6> kPairs = {"//", "**", "==", "!=", ">=", "<="};
    constexpr std::string_view kSingles = "+-/*%~[](){}><=.:|,;";
    std::size_t size = 0;
    for (const std::string_view pair : kPairs) {
      if (looks_at(pair)) size = 2;
    }
    if (size == 0 && kSingles.find(source_[at_]) != std::string_view::npos) size = 1;
    if (size == 0) {
      fail(fmt::format("unexpected '{}'", printable(rest().substr(0, character_at(source_, at_).size))));
    }
    const char c = source_[at_];
    if (size == 1) {
      if (c == '{') open.push_back('}');
      if (c == '(') open.push_back(')');
      if (c == '[') open.push_back(']');
      if (c == '}' || c == ')' || c == ']') {
        if (open.empty()) fail(fmt::format("unexpected '{}'", c));
        if (open.back() != c) fail(fmt::format("unexpected '{}', expected '{}'", c, open.back()));
        open.pop_back();
      }
    }
    add(TokenKind::kOperator, std::string(rest().substr(0, size)));
    pass(size);
  }

  std::string source_;
  std::size_t at_ = 0;
  int line_ = 1;
  bool starts_line_ = true;  // what was passed last ended in a newline, or it is the beginning
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> tokenize(std::string_view source) { return Lexer(source).run(); }

std::string describe(const Token& token) {
  switch (token.kind) {
    case TokenKind::kData:
      return "text outside of tags";
    case TokenKind::kVariableBegin:
      return "'{{'";
    case TokenKind::kVariableEnd:
      return "'}}'";
    case TokenKind::kBlockBegin:
      return "'{%'";
    case TokenKind::kBlockEnd:
      return "'%}'";
    case TokenKind::kText:
      return "a text";
    case TokenKind::kInteger:
    case TokenKind::kFloat:
      return "a number";
    case TokenKind::kEnd:
      return "the end of the template";
    case TokenKind::kName:
    case TokenKind::kOperator:
      break;
  }
  return "'" + printable(token.text) + "'";
}

}  // namespace anneal::datasets::jinja
