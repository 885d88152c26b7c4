#!/usr/bin/env python3
"""Writes unicode_exceptions.cpp: where Python's str differs from the simple mappings and categories of Unicode.

    python3 make_unicode_exceptions.py > unicode_exceptions.cpp && clang-format-19 -i unicode_exceptions.cpp
"""
import sys
import unicodedata

EVERY = [c for c in range(sys.maxunicode + 1) if not 0xD800 <= c < 0xE000]


def ranges(codes):
    found = []
    for code in codes:
        if found and found[-1][1] == code - 1:
            found[-1][1] = code
        else:
            found.append([code, code])
    return found


def category(code):
    return unicodedata.category(chr(code))


def write_ranges(name, codes):
    print(f"constexpr CodeRange {name}Rows[] = {{")
    print(",".join(f"{{0x{first:X},0x{last:X}}}" for first, last in ranges(codes)))
    print(f"}};\nconst std::span<const CodeRange> {name} = {name}Rows;")


def write_mappings(name, method):
    print(f"constexpr LongMapping {name}Rows[] = {{")
    rows = []
    for code in EVERY:
        mapped = method(chr(code))
        if len(mapped) > 1:
            rows.append(f"{{0x{code:X},\"" + "".join(f"\\x{byte:02x}" for byte in mapped.encode()) + "\"}")
    print(",".join(rows))
    print(f"}};\nconst std::span<const LongMapping> {name} = {name}Rows;")


print("// Written by make_unicode_exceptions.py.")
print('#include "datasets/templates/jinja/unicode.h"')
print("namespace anneal::datasets::jinja::unicode_exceptions {")
write_ranges("kLowercase", [c for c in EVERY if chr(c).islower() and category(c) != "Ll"])
write_ranges("kUppercase", [c for c in EVERY if chr(c).isupper() and category(c) != "Lu"])
write_ranges("kDigits", [c for c in EVERY if chr(c).isdigit() and not chr(c).isdecimal()])
write_ranges("kNumeric", [c for c in EVERY if chr(c).isnumeric() and category(c)[0] != "N"])
write_mappings("kUpper", str.upper)
write_mappings("kLower", str.lower)
write_mappings("kTitle", str.title)
print("}  // namespace anneal::datasets::jinja::unicode_exceptions")
