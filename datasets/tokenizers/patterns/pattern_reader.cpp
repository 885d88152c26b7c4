#include "datasets/tokenizers/patterns/pattern_reader.h"

#include <fmt/format.h>

#include <utility>

#include "datasets/tokenizers/unicode/utf8.h"
#include "kernels/core/error.h"

namespace anneal::datasets {
namespace {

constexpr int kDeepestClass = 50;
constexpr unsigned kMostRepeats = 65535;  // PCRE2's

int digit_value(char digit, unsigned base) {
  int value = -1;
  if (digit >= '0' && digit <= '9') value = digit - '0';
  if (digit >= 'a' && digit <= 'f') value = digit - 'a' + 10;
  if (digit >= 'A' && digit <= 'F') value = digit - 'A' + 10;
  return value < static_cast<int>(base) ? value : -1;
}

}  // namespace

void PatternReader::fail(std::string_view what) const {
  throw input_error("{}: the regular expression \"{}\" {} (near byte {}). Get another copy of the file.", where_,
                    printable(pattern_, 200), what, at_);
}

char32_t PatternReader::next() {
  const Character character = character_at(pattern_, at_);
  at_ += character.size;
  return character.code;
}

bool PatternReader::take(char expected) {
  if (at_end() || peek() != expected) return false;
  ++at_;
  return true;
}

bool PatternReader::take(std::string_view expected) {
  if (!pattern_.substr(at_).starts_with(expected)) return false;
  at_ += expected.size();
  return true;
}

std::string PatternReader::until(char end) {
  const std::size_t found = pattern_.find(end, at_);
  if (found == std::string_view::npos) fail(fmt::format("lacks a \"{}\"", end));
  std::string text(pattern_.substr(at_, found - at_));
  for (const char c : text) {
    if (c == '(' || c == ')' || c == '\\') fail("has a name with signs in it");
  }
  at_ = found + 1;
  return text;
}

std::optional<std::string> PatternReader::quantifier() {
  if (at_end()) return {};
  const char sign = peek();
  if (sign == '{') return interval();
  if (sign != '*' && sign != '+' && sign != '?') return {};
  ++at_;
  std::string text(1, sign);
  if (take('?')) return text + "?";
  if (take('+')) return text + "+";
  return text;
}

std::optional<unsigned> PatternReader::number() {
  std::optional<unsigned> value;
  while (!at_end() && peek() >= '0' && peek() <= '9') {
    value = value.value_or(0) * 10 + static_cast<unsigned>(peek() - '0');
    if (*value > kMostRepeats) fail("repeats too often");
    ++at_;
  }
  return value;
}

std::optional<std::string> PatternReader::interval() {
  const std::size_t start = at_;
  ++at_;
  const auto least = number();
  const bool has_comma = take(',');
  const auto most = has_comma ? number() : least;
  if (!take('}') || (!least && !most)) {
    at_ = start;  // a brace that stands for itself
    return {};
  }
  if (!has_comma) return fmt::format("{{{}}}", *least);
  if (!most) return fmt::format("{{{},}}{}", *least, take('?') ? "?" : "");
  if (least.value_or(0) > *most) return fmt::format("{{{},{}}}+", *most, *least);  // means: never gives back
  return fmt::format("{{{},{}}}{}", least.value_or(0), *most, take('?') ? "?" : "");
}

CharacterSet PatternReader::character_class() {
  if (++class_depth_ > kDeepestClass) fail("has classes that are nested too deeply");
  const bool is_negated = take('^');
  CharacterSet set = class_operand();
  while (take("&&")) set.intersections.push_back(class_operand());
  if (!take(']')) fail("lacks a \"]\"");
  // An intersection of unions: the first operand is what the set itself holds.
  set.is_negated = is_negated;
  --class_depth_;
  return set;
}

CharacterSet PatternReader::class_operand() {
  CharacterSet set;
  bool is_first = true;
  for (; !at_end(); is_first = false) {
    if ((peek() == ']' && !is_first) || pattern_.substr(at_).starts_with("&&")) break;
    if (auto posix = posix_bracket()) {
      set.add(std::move(*posix));
      continue;
    }
    if (take('[')) {
      set.add(character_class());
      continue;
    }
    if (peek() == '\\') {
      ++at_;
      if (at_end()) fail("ends in a backslash");
      if (auto escaped = class_escape()) {
        set.add(std::move(*escaped));
        continue;
      }
      --at_;
    }
    const char32_t first = class_character();
    const bool is_range = !at_end() && peek() == '-' && at_ + 1 < pattern_.size() && pattern_[at_ + 1] != ']' &&
                          pattern_[at_ + 1] != '[' && !pattern_.substr(at_ + 1).starts_with("&&");
    if (!is_range) {
      set.add(first);
      continue;
    }
    const std::size_t dash = at_++;
    if (take('\\')) {
      // "a-\d" is no range.
      const bool is_class = class_escape().has_value();
      at_ = is_class ? dash : dash + 1;
      if (is_class) {
        set.add(first);
        continue;
      }
    }
    const char32_t last = class_character();
    if (last < first) fail("has a range whose end comes before its begin");
    set.add(first, last);
  }
  return set;
}

std::optional<CharacterSet> PatternReader::posix_bracket() {
  if (!pattern_.substr(at_).starts_with("[:")) return {};
  const std::size_t end = pattern_.find(":]", at_);
  if (end == std::string_view::npos) return {};
  std::string_view name = pattern_.substr(at_ + 2, end - at_ - 2);
  const bool is_negated = name.starts_with('^');
  if (is_negated) name.remove_prefix(1);
  auto set = posix_set(name);
  if (!set) return {};
  at_ = end + 2;
  return is_negated ? set->negated() : *set;
}

char32_t PatternReader::class_character() {
  if (!take('\\')) return next();
  if (take('b')) return 0x08;
  return character_escape();
}

std::optional<CharacterSet> PatternReader::class_escape() {
  if (at_end()) return {};
  const char sign = peek();
  if (sign == 'p' || sign == 'P') {
    const bool is_property = pattern_.substr(at_ + 1).starts_with('{');  // else the letter itself
    if (!is_property) return {};
    at_ += 2;
    return property(sign == 'P');
  }
  const bool is_negated = sign >= 'A' && sign <= 'Z';
  std::optional<CharacterSet> set;
  if (sign == 'd' || sign == 'D') set = digit_set();
  if (sign == 'h' || sign == 'H') set = hexadecimal_set();
  if (sign == 's' || sign == 'S') set = white_space_set();
  if (sign == 'w' || sign == 'W') set = word_set();
  if (!set) return {};
  ++at_;
  return is_negated ? set->negated() : *set;
}

CharacterSet PatternReader::property(bool is_negated) {
  if (take('^')) is_negated = !is_negated;
  const auto set = property_set(until('}'));
  if (!set) fail("names a property that is unknown");
  return is_negated ? set->negated() : *set;
}

char32_t PatternReader::hexadecimal(std::size_t most_digits) {
  char32_t code = 0;
  std::size_t digits = 0;
  for (; digits < most_digits && !at_end() && digit_value(peek(), 16) >= 0; ++digits, ++at_) {
    code = code * 16 + static_cast<char32_t>(digit_value(peek(), 16));
  }
  return code;
}

char32_t PatternReader::braced_code(unsigned base) {
  char32_t code = 0;
  while (!at_end() && digit_value(peek(), base) >= 0) {
    code = code * base + static_cast<char32_t>(digit_value(peek(), base));
    if (code > 0x10FFFF) fail("names a character beyond U+10FFFF");
    ++at_;
  }
  if (!take('}') || (code >= 0xD800 && code <= 0xDFFF)) fail("has a character code that is wrong");
  return code;
}

// \xHH is a byte; those from 0x80 on come in runs that spell a character.
char32_t PatternReader::escaped_bytes(unsigned char first) {
  std::string bytes(1, static_cast<char>(first));
  while (utf8_start(bytes, 0).needs_more && take("\\x")) bytes += static_cast<char>(hexadecimal(2));
  if (utf8_start(bytes, 0).size != bytes.size()) fail("has bytes that are no UTF-8");
  return character_at(bytes, 0).code;
}

char32_t PatternReader::character_escape() {
  if (at_end()) fail("ends in a backslash");
  if (take("x{")) return braced_code(16);
  if (take("o{")) return braced_code(8);
  const char32_t sign = next();
  switch (sign) {
    case 'a':
      return 0x07;
    case 'e':
      return 0x1B;
    case 'f':
      return 0x0C;
    case 'n':
      return 0x0A;
    case 'r':
      return 0x0D;
    case 't':
      return 0x09;
    case 'v':
      return 0x0B;
    case 'u': {
      const char32_t code = hexadecimal(4);
      if (code >= 0xD800 && code <= 0xDFFF) fail("has a character code that is wrong");
      return code;
    }
    case 'x': {
      const auto byte = static_cast<unsigned char>(hexadecimal(2));
      return byte < 0x80 ? byte : escaped_bytes(byte);
    }
    case 'c':
      if (at_end()) fail("ends in the middle of a control sign");
      return next() & 0x1F;
    case 'C':
    case 'M':
      fail("uses a sign that is not supported");
    default:
      break;
  }
  if (sign < '0' || sign > '7') return sign;
  char32_t code = sign - '0';
  for (int digits = 1; digits < 3 && !at_end() && digit_value(peek(), 8) >= 0; ++digits, ++at_) {
    code = code * 8 + static_cast<char32_t>(digit_value(peek(), 8));
  }
  if (code >= 0x80) fail("has bytes that are no UTF-8");
  return code;
}

}  // namespace anneal::datasets
