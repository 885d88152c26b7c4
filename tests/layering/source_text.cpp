#include "tests/layering/source_text.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace anneal::tests {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

class Blanker {
 public:
  explicit Blanker(std::string_view text) : text_(text), out_(text) {}

  std::string run() {
    while (at_ < text_.size()) step();
    return std::move(out_);
  }

 private:
  void step() {
    if (starts("//")) return blank_line_comment();
    if (starts("/*")) return blank_until("*/", 2, 2);
    const char c = text_[at_];
    if (c == '#' && is_include_directive()) return skip_directive();
    if (c == '"') return is_raw_prefix(word_before()) ? blank_raw_string() : blank_quoted('"');
    if (c == '\'' && !is_digit_separator()) return blank_quoted('\'');
    ++at_;
  }

  bool starts(std::string_view what) const { return text_.substr(at_, what.size()) == what; }

  void blank_to(std::size_t end) {
    for (; at_ < end && at_ < text_.size(); ++at_) {
      if (out_[at_] != '\n') out_[at_] = ' ';
    }
  }

  // A backslash at the end of its line carries a comment on to the next.
  void blank_line_comment() {
    std::size_t end = at_;
    while (end < text_.size() && (text_[end] != '\n' || text_[end - 1] == '\\')) ++end;
    blank_to(end);
  }

  void blank_until(std::string_view mark, std::size_t opening, std::size_t closing) {
    const std::size_t found = text_.find(mark, at_ + opening);
    blank_to(found == std::string_view::npos ? text_.size() : found + closing);
  }

  void blank_quoted(char quote) {
    ++at_;
    std::size_t end = at_;
    while (end < text_.size() && text_[end] != quote && text_[end] != '\n') end += text_[end] == '\\' ? 2 : 1;
    blank_to(end);
    if (at_ < text_.size()) ++at_;
  }

  void blank_raw_string() {
    const std::size_t bracket = text_.find('(', at_);
    if (bracket == std::string_view::npos) return blank_to(text_.size());
    const std::string mark = ")" + std::string(text_.substr(at_ + 1, bracket - at_ - 1)) + "\"";
    blank_until(mark, bracket - at_, mark.size());
  }

  std::string_view word_before() const {
    std::size_t begin = at_;
    while (begin > 0 && (is_word(text_[begin - 1]) || text_[begin - 1] == '\'')) --begin;
    return text_.substr(begin, at_ - begin);
  }

  static bool is_raw_prefix(std::string_view word) {
    return word == "R" || word == "LR" || word == "uR" || word == "UR" || word == "u8R";
  }

  bool is_digit_separator() const {  // 1'000'000
    const std::string_view word = word_before();
    return !word.empty() && std::isdigit(static_cast<unsigned char>(word.front())) != 0;
  }

  bool is_include_directive() const {
    std::size_t before = at_;
    while (before > 0 && (text_[before - 1] == ' ' || text_[before - 1] == '\t')) --before;
    if (before > 0 && text_[before - 1] != '\n') return false;
    const std::size_t word = text_.find_first_not_of(" \t", at_ + 1);
    return word != std::string_view::npos && text_.substr(word, 7) == "include";
  }

  // Past the name that is included, which looks like a string but is none.
  void skip_directive() {
    at_ = text_.find("include", at_) + 7;
    at_ = std::min(text_.find_first_not_of(" \t", at_), text_.size());
    if (at_ >= text_.size() || (text_[at_] != '"' && text_[at_] != '<')) return;
    const char closing = text_[at_] == '"' ? '"' : '>';
    ++at_;
    while (at_ < text_.size() && text_[at_] != closing && text_[at_] != '\n') ++at_;
    if (at_ < text_.size()) ++at_;
  }

  std::string_view text_;
  std::string out_;
  std::size_t at_ = 0;
};

// The target of an #include line, or an empty one where the line is another.
Include include_on(std::string_view line, int number) {
  std::size_t at = line.find_first_not_of(" \t");
  if (at == std::string_view::npos || line[at] != '#') return {};
  at = line.find_first_not_of(" \t", at + 1);
  if (at == std::string_view::npos || line.substr(at, 7) != "include") return {};
  at = line.find_first_not_of(" \t", at + 7);
  if (at == std::string_view::npos || (line[at] != '"' && line[at] != '<')) return {};
  const char closing = line[at] == '"' ? '"' : '>';
  const std::size_t end = line.find(closing, at + 1);
  if (end == std::string_view::npos) return {};
  return {number, std::string(line.substr(at + 1, end - at - 1)), closing == '>'};
}

}  // namespace

std::string blank_comments_and_literals(std::string_view text) { return Blanker(text).run(); }

std::vector<Include> includes_of(std::string_view text) {
  const std::string blanked = blank_comments_and_literals(text);
  std::vector<Include> found;
  int number = 0;
  for (std::size_t begin = 0; begin < blanked.size();) {
    const std::size_t end = std::min(blanked.find('\n', begin), blanked.size());
    Include include = include_on(std::string_view(blanked).substr(begin, end - begin), ++number);
    if (include.line != 0) found.push_back(std::move(include));
    begin = end + 1;
  }
  return found;
}

}  // namespace anneal::tests
