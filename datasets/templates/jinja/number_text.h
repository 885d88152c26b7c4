#pragma once
// Numbers as Python writes and reads them. Never by the machine's locale.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "datasets/templates/jinja/value.h"

namespace anneal::datasets::jinja {

std::string text_of(Integer number);
// repr(float): the shortest digits that read back exactly, "1.0", "1e-05", "inf", "nan".
std::string text_of(double number);

// How many bytes at the beginning are a float or an int of a template's source; 0: none.
std::size_t size_of_real(std::string_view text);
std::size_t size_of_integer(std::string_view text);

// Digits as they stand in a source, without "_". What is too large for a float is infinite; for an Integer: nothing.
std::optional<double> parse_real(std::string_view digits);
std::optional<Integer> parse_integer(std::string_view digits, int base);  // base 0: as the prefix says (0x, 0o, 0b)

// float(text) and int(text, base) of Python: white space around, a sign, "_" between digits, decimal digits of any
// script, "inf" and "nan". Nothing: Python raises ValueError. Throws Failure for an int that is too large.
std::optional<double> read_float(std::string_view text);
std::optional<Integer> read_int(std::string_view text, int base);

// The whole part, towards zero; throws Failure where Python raises OverflowError or ValueError (inf, nan) or it does
// not fit.
Integer whole_part(double number);

}  // namespace anneal::datasets::jinja
