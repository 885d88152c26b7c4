#pragma once
// Reads C++ text just far enough to know what it includes: comments, strings and characters are set aside.

#include <string>
#include <string_view>
#include <vector>

namespace anneal::tests {

struct Include {
  int line = 0;        // from 1
  std::string target;  // what stands between the quotes or angle brackets
  bool is_angled = false;
};

// The same text, of the same length and lines, with comments and the contents of literals turned into blanks.
// What follows #include is kept.
std::string blank_comments_and_literals(std::string_view text);

// The #include lines that the compiler would see, those inside #if included.
std::vector<Include> includes_of(std::string_view text);

}  // namespace anneal::tests
