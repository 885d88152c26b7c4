#pragma once
// Tokenizer files hold regular expressions for Oniguruma in its own syntax; PCRE2 reads most signs alike, but not all:
// (?m) means that "." matches line ends, ^ and $ are always those of lines, \h is a hexadecimal digit, classes may be
// nested and intersected, {n,m}+ repeats, and the character classes are those of a newer Unicode.

#include <string>

namespace anneal::datasets {

// The pattern for PCRE2 (UTF, UCP, MULTILINE, newline is LF) that matches the same. Throws Error(kInput) for one that
// is wrong or uses what PCRE2 cannot express (absent operators, callouts, text segment boundaries, ASCII-only options).
std::string translate_oniguruma_pattern(const std::string& pattern, const std::string& where);

}  // namespace anneal::datasets
