#include "datasets/templates/jinja/number_text.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include "datasets/templates/jinja/unicode.h"

namespace anneal::datasets::jinja {
namespace {

bool is_ascii_digit(char c) { return c >= '0' && c <= '9'; }

int digit_value(char c) {
  if (is_ascii_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'z') return c - 'a' + 10;
  if (c >= 'A' && c <= 'Z') return c - 'A' + 10;
  return 99;
}

// Digits of the base, with single "_" between them; `leading`: also before the first.
std::size_t size_of_digits(std::string_view text, int base, bool leading) {
  std::size_t size = 0;
  while (true) {
    std::size_t at = size;
    if (at < text.size() && text[at] == '_' && (leading || size > 0)) ++at;
    if (at >= text.size() || digit_value(text[at]) >= base) return size;
    size = at + 1;
  }
}

int base_of_prefix(std::string_view text) {
  if (text.size() < 2 || text[0] != '0') return 10;
  switch (text[1]) {
    case 'b':
    case 'B':
      return 2;
    case 'o':
    case 'O':
      return 8;
    case 'x':
    case 'X':
      return 16;
    default:
      return 10;
  }
}

// Without white space around; decimal digits of other scripts become ASCII. Nothing for what no number can hold.
std::optional<std::string> plain_number(std::string_view text) {
  while (!text.empty()) {
    const Character first = character_at(text, 0);
    if (!is_space(first.code)) break;
    text.remove_prefix(first.size);
  }
  while (!text.empty()) {
    const Character last = character_before(text, text.size());
    if (!is_space(last.code)) break;
    text.remove_suffix(last.size);
  }
  std::string plain;
  for (std::size_t at = 0; at < text.size();) {
    const Character character = character_at(text, at);
    if (character.code < 0x80) {
      plain += text[at];
    } else if (is_decimal(character.code)) {
      plain += static_cast<char>('0' + decimal_value(character.code));
    } else {
      return std::nullopt;
    }
    at += character.size;
  }
  return plain;
}

// Removes each "_" that stands between two digits; false if there is another.
bool drop_underscores(std::string& text) {
  std::string kept;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '_') {
      kept += text[i];
    } else if (i == 0 || i + 1 == text.size() || digit_value(text[i - 1]) > 35 || digit_value(text[i + 1]) > 35) {
      return false;
    }
  }
  text = std::move(kept);
  return true;
}

}  // namespace

std::string text_of(Integer number) { return fmt::format("{}", number); }

std::string text_of(double number) {
  if (std::isnan(number)) return "nan";
  if (std::isinf(number)) return number < 0 ? "-inf" : "inf";
  std::array<char, 64> buffer{};
  const auto [end, error] =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), number, std::chars_format::scientific);
  const std::string_view written(buffer.data(), static_cast<std::size_t>(end - buffer.data()));
  const std::size_t e = written.find('e');
  std::string digits;
  for (const char c : written.substr(0, e)) {
    if (is_ascii_digit(c)) digits += c;
  }
  int exponent = 0;
  const std::string_view power = written.substr(e + (written[e + 1] == '+' ? 2 : 1));
  std::from_chars(power.data(), power.data() + power.size(), exponent);
  std::string text = std::signbit(number) ? "-" : "";
  if (exponent < -4 || exponent >= 16) {
    text += digits[0];
    if (digits.size() > 1) text += "." + digits.substr(1);
    return text + fmt::format("e{}{:02}", exponent < 0 ? '-' : '+', std::abs(exponent));
  }
  if (exponent < 0) return text + "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
  const auto whole = static_cast<std::size_t>(exponent) + 1;
  if (digits.size() <= whole) return text + digits + std::string(whole - digits.size(), '0') + ".0";
  return text + digits.substr(0, whole) + "." + digits.substr(whole);
}

std::size_t size_of_real(std::string_view text) {
  const std::size_t whole = size_of_digits(text, 10, false);
  if (whole == 0) return 0;
  std::size_t size = whole;
  if (size < text.size() && text[size] == '.') {
    const std::size_t fraction = size_of_digits(text.substr(size + 1), 10, false);
    if (fraction > 0) size += 1 + fraction;
  }
  if (size < text.size() && (text[size] == 'e' || text[size] == 'E')) {
    std::size_t at = size + 1;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
    const std::size_t power = size_of_digits(text.substr(at), 10, false);
    if (power > 0) return at + power;
  }
  return size > whole ? size : 0;
}

std::size_t size_of_integer(std::string_view text) {
  if (text.empty() || !is_ascii_digit(text[0])) return 0;
  if (const int base = base_of_prefix(text); base != 10) {
    const std::size_t digits = size_of_digits(text.substr(2), base, true);
    if (digits > 0) return 2 + digits;
  }
  return text[0] == '0' ? 1 + size_of_digits(text.substr(1), 1, true) : size_of_digits(text, 10, false);
}

std::optional<double> parse_real(std::string_view digits) {
  double number = 0.0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (end != digits.data() + digits.size() || error == std::errc::invalid_argument) return std::nullopt;
  if (error == std::errc::result_out_of_range) {
    // Too large, or too small to be told from 0.
    const std::size_t e = digits.find_first_of("eE");
    const bool tiny = e != std::string_view::npos && e + 1 < digits.size() && digits[e + 1] == '-';
    number = tiny ? 0.0 : std::numeric_limits<double>::infinity();
    if (digits.starts_with('-')) number = -number;
  }
  return number;
}

std::optional<Integer> parse_integer(std::string_view digits, int base) {
  if (base == 0) {
    base = base_of_prefix(digits);
    if (base != 10) digits.remove_prefix(2);
  }
  Integer number = 0;
  for (const char c : digits) {
    if (__builtin_mul_overflow(number, static_cast<Integer>(base), &number) ||
        __builtin_add_overflow(number, static_cast<Integer>(digit_value(c)), &number)) {
      return std::nullopt;
    }
  }
  return number;
}

std::optional<double> read_float(std::string_view text) {
  std::optional<std::string> plain = plain_number(text);
  if (!plain || plain->empty() || !drop_underscores(*plain)) return std::nullopt;
  std::string_view digits = *plain;
  const bool negative = digits[0] == '-';
  if (negative || digits[0] == '+') digits.remove_prefix(1);
  std::string lower;
  for (const char c : digits) lower += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  double number = 0.0;
  if (lower == "inf" || lower == "infinity") {
    number = std::numeric_limits<double>::infinity();
  } else if (lower == "nan") {
    number = std::numeric_limits<double>::quiet_NaN();
  } else {
    if (lower.empty() || !(is_ascii_digit(lower[0]) || lower[0] == '.')) return std::nullopt;
    const std::optional<double> parsed = parse_real(lower);
    if (!parsed) return std::nullopt;
    number = *parsed;
  }
  return negative ? -number : number;
}

std::optional<Integer> read_int(std::string_view text, int base) {
  if (base != 0 && (base < 2 || base > 36)) throw Failure("int() base must be >= 2 and <= 36, or 0");
  std::optional<std::string> plain = plain_number(text);
  if (!plain || plain->empty()) return std::nullopt;
  std::string_view digits = *plain;
  const bool negative = digits[0] == '-';
  if (negative || digits[0] == '+') digits.remove_prefix(1);
  const int prefix = base_of_prefix(digits);
  bool after_prefix = false;
  if (prefix != 10 && (base == 0 || base == prefix)) {
    digits.remove_prefix(2);
    after_prefix = true;
    base = prefix;
  } else if (base == 0) {
    base = 10;
    // Python refuses "012" here, but not "00".
    if (digits.size() > 1 && digits[0] == '0' && digits.find_first_not_of("0_") != std::string_view::npos) {
      return std::nullopt;
    }
  }
  if (digits.empty() || size_of_digits(digits, base, after_prefix) != digits.size()) return std::nullopt;
  std::string kept(digits);
  std::erase(kept, '_');
  const std::optional<Integer> number = parse_integer(kept, base);
  if (!number) throw Failure("a whole number is too large");
  return negative ? -*number : *number;
}

Integer whole_part(double number) {
  if (std::isnan(number)) throw Failure("cannot convert float NaN to integer");
  if (std::isinf(number)) throw Failure("cannot convert float infinity to integer");
  if (!(std::fabs(number) < 0x1p127)) throw Failure("a whole number is too large");
  return static_cast<Integer>(number);
}

}  // namespace anneal::datasets::jinja
