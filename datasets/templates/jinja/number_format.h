#pragma once
// Numbers in a wanted form, for "%.2f" % x and "{:,.2f}".format(x).

#include <string>
#include <string_view>

#include "datasets/templates/jinja/value.h"

namespace anneal::datasets::jinja {

// What follows the colon in a field of str.format.
struct FormatSpec {
  std::string fill;  // one character; empty: a blank, or '0' with `zero`
  char align = 0;    // < > ^ =
  char sign = 0;     // + - or blank
  bool alternate = false;
  bool zero = false;
  std::size_t width = 0;
  char grouping = 0;  // , or _
  int precision = -1;
  char type = 0;
};

// Throws Failure for what Python calls an invalid format specifier.
FormatSpec parse_format_spec(std::string_view text);

// Sign, prefix and digits, then padding.
std::string format_number(Heap& heap, const Value& number, const FormatSpec& spec);

// The digits of a float without its sign: e, f, g and their capitals, or 0 as type for what str.format does without
// one.
std::string real_digits(double magnitude, char type, int precision, bool alternate);
std::string integer_digits(Integer magnitude, char type);  // d o x X b

// Adds fill on the sides; `size` is that of the text in characters.
struct Padding {
  std::size_t before = 0, after = 0;
};
Padding padding_for(std::size_t size, std::size_t width, char align);

}  // namespace anneal::datasets::jinja
