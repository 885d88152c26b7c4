#include "datasets/templates/jinja/number_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "datasets/templates/jinja/number_text.h"
#include "datasets/templates/jinja/unicode.h"
#include "kernels/core/error.h"

namespace anneal::datasets::jinja {
namespace {

constexpr int kMostDigits = 100'000;

bool is_align(char c) { return c == '<' || c == '>' || c == '^' || c == '='; }

std::string with_groups(const std::string& digits, char separator, std::size_t group) {
  std::string grouped;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % group == 0) grouped += separator;
    grouped += digits[i];
  }
  return grouped;
}

// str.format(x) with a precision but no type: like g, but with a digit behind the point.
std::string general_digits(double magnitude, int precision) {
  precision = std::max(precision, 1);
  const std::string scientific = fmt::format("{:.{}e}", magnitude, precision - 1);
  const std::size_t e = scientific.find('e');
  int exponent = 0;
  const std::size_t digits_at = e + (scientific[e + 1] == '+' ? 2 : 1);
  std::from_chars(scientific.data() + digits_at, scientific.data() + scientific.size(), exponent);
  std::string text = fmt::format("{:.{}g}", magnitude, precision);
  if (exponent + 1 > precision - 1 || exponent < -4) {
    std::string mantissa = scientific.substr(0, e);
    if (mantissa.find('.') != std::string::npos) {
      while (mantissa.back() == '0') mantissa.pop_back();
      if (mantissa.back() == '.') mantissa.pop_back();
    }
    return mantissa + scientific.substr(e);
  }
  if (text.find('.') == std::string::npos) text += ".0";
  return text;
}

}  // namespace

FormatSpec parse_format_spec(std::string_view text) {
  FormatSpec spec;
  const auto number = [&](std::size_t& value) {
    std::size_t size = 0;
    while (size < text.size() && text[size] >= '0' && text[size] <= '9') ++size;
    if (size > 9) throw Failure("a width or precision in a format is too large");
    std::from_chars(text.data(), text.data() + size, value);
    text.remove_prefix(size);
    return size > 0;
  };
  const auto skip = [&](char c) {
    if (!text.starts_with(c)) return false;
    text.remove_prefix(1);
    return true;
  };
  const std::size_t first = text.empty() ? 0 : character_at(text, 0).size;
  if (first < text.size() && is_align(text[first])) {
    spec.fill = text.substr(0, first);
    spec.align = text[first];
    text.remove_prefix(first + 1);
  } else if (!text.empty() && is_align(text[0])) {
    spec.align = text[0];
    text.remove_prefix(1);
  }
  if (!text.empty() && (text[0] == '+' || text[0] == '-' || text[0] == ' ')) {
    spec.sign = text[0];
    text.remove_prefix(1);
  }
  skip('z');
  spec.alternate = skip('#');
  spec.zero = skip('0');
  number(spec.width);
  if (skip(',')) spec.grouping = ',';
  if (skip('_')) spec.grouping = '_';
  if (skip('.')) {
    std::size_t precision = 0;
    if (!number(precision)) throw Failure("Format specifier missing precision");
    if (precision > kMostDigits) throw Failure("a precision in a format is too large");
    spec.precision = static_cast<int>(precision);
  }
  if (text.size() > 1) throw Failure("Invalid format specifier");
  if (!text.empty()) spec.type = text[0];
  return spec;
}

std::string real_digits(double magnitude, char type, int precision, bool alternate) {
  if (std::isnan(magnitude)) return type >= 'A' && type <= 'Z' ? "NAN" : "nan";
  if (std::isinf(magnitude)) return type >= 'A' && type <= 'Z' ? "INF" : "inf";
  if (precision > kMostDigits) throw Failure("a precision in a format is too large");
  if (type == 0) return precision < 0 ? text_of(magnitude) : general_digits(magnitude, precision);
  if (precision < 0) precision = 6;
  const std::string pattern = fmt::format("{{:{}.{}{}}}", alternate ? "#" : "", precision, type);
  return fmt::format(fmt::runtime(pattern), magnitude);
}

std::string integer_digits(Integer magnitude, char type) {
  switch (type) {
    case 'o':
      return fmt::format("{:o}", magnitude);
    case 'x':
      return fmt::format("{:x}", magnitude);
    case 'X':
      return fmt::format("{:X}", magnitude);
    case 'b':
      return fmt::format("{:b}", magnitude);
    default:
      return text_of(magnitude);
  }
}

Padding padding_for(std::size_t size, std::size_t width, char align) {
  if (size >= width) return {};
  const std::size_t missing = width - size;
  if (align == '<') return {0, missing};
  if (align == '^') return {missing / 2, missing - missing / 2};
  return {missing, 0};
}

std::string format_number(Heap& heap, const Value& number, const FormatSpec& spec) {
  heap.check_text(spec.width);
  const std::string_view real_types = "eEfFgG%";
  const std::string_view integer_types = "bcdoxXn";
  const bool as_real =
      number.is(Kind::kFloat) || (spec.type != 0 && real_types.find(spec.type) != std::string_view::npos);
  const std::string_view allowed = number.is(Kind::kFloat) ? "eEfFgG%n" : "bcdoxXneEfFgG%";
  if (spec.type != 0 && allowed.find(spec.type) == std::string_view::npos) {
    throw Failure(fmt::format("Unknown format code '{}' for object of type '{}'", printable(std::string(1, spec.type)),
                              type_name(number)));
  }
  std::string prefix;
  std::string digits;
  bool negative = false;
  std::size_t group = 3;
  if (as_real) {
    const double real = number.as_real();
    negative = std::signbit(real) && !std::isnan(real);
    const bool percent = spec.type == '%';
    const char type = percent ? 'f' : spec.type == 'n' ? 'g' : spec.type;
    digits = real_digits(std::fabs(percent ? real * 100 : real), type, spec.precision, spec.alternate);
    if (percent) digits += '%';
  } else {
    if (spec.precision >= 0) throw Failure("Precision not allowed in integer format specifier");
    const Integer integer = number.as_integer();
    if (spec.type == 'c') {
      if (integer < 0 || integer > 0x10FFFF) throw Failure("%c arg not in range(0x110000)");
      append_character(digits, static_cast<char32_t>(integer));
    } else {
      negative = integer < 0;
      if (negative && integer == -integer) throw Failure("a whole number is too large");
      digits = integer_digits(negative ? -integer : integer, spec.type);
      if (spec.alternate && (spec.type == 'x' || spec.type == 'X' || spec.type == 'o' || spec.type == 'b')) {
        prefix = std::string("0") + spec.type;
      }
      if (spec.type != 0 && integer_types.find(spec.type) < 6 && spec.type != 'd' && spec.type != 'n') group = 4;
    }
  }
  if (spec.grouping != 0) {
    const std::size_t end = std::min(digits.find_first_not_of("0123456789abcdefABCDEF"), digits.size());
    const std::size_t whole = as_real ? std::min(digits.find_first_not_of("0123456789"), digits.size()) : end;
    digits = with_groups(digits.substr(0, whole), spec.grouping, group) + digits.substr(whole);
  }
  std::string sign;
  if (negative) {
    sign = "-";
  } else if (spec.sign == '+' || spec.sign == ' ') {
    sign = spec.sign;
  }
  const char align = spec.align != 0 ? spec.align : spec.zero ? '=' : '>';
  const std::string fill = !spec.fill.empty() ? spec.fill : spec.zero ? "0" : " ";
  const std::size_t size = sign.size() + prefix.size() + count_characters(digits);
  const Padding padding = padding_for(size, spec.width, align);
  std::string text;
  const auto pad = [&](std::size_t times) {
    for (std::size_t i = 0; i < times; ++i) text += fill;
  };
  if (align != '=') pad(padding.before);
  text += sign + prefix;
  if (align == '=') pad(padding.before);
  text += digits;
  pad(padding.after);
  return text;
}

}  // namespace anneal::datasets::jinja
