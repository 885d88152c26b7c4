#pragma once
// Where the bytes of a text came from. Every text carries it, through all that a template does with it.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace anneal::datasets::jinja {

using Origin = uint32_t;
inline constexpr Origin kFromTemplate = 0;      // literals, numbers, and the variables that count as the template's own
inline constexpr Origin kFromData = 1;          // tools, documents, …
inline constexpr Origin kFromSeveral = 2;       // data of several places, mixed so that it cannot be told apart
inline constexpr Origin kFromFirstMessage = 3;  // kFromFirstMessage + i: message i of the conversation

// Of a text whose letters cannot be followed one by one.
inline Origin mixed(Origin a, Origin b) {
  if (a == b || b == kFromTemplate) return a;
  return a == kFromTemplate ? b : kFromSeveral;
}

struct Mark {
  Origin origin = kFromTemplate;
  // 1 + the message for which it was written: the innermost loop over messages was at that one. 0: no such loop.
  uint32_t turn = 0;
  bool generated = false;  // inside a {% generation %} block
  friend bool operator==(const Mark&, const Mark&) = default;
};

// A stretch of a text with one mark: from the end of the stretch before it to `end`.
struct Stretch {
  std::size_t end = 0;
  Mark mark;
};

// A rendering before it is reduced to what its reader asked for.
struct RenderedParts {
  std::string text;
  std::vector<Stretch> stretches;  // in order, apart, together the whole text
};

}  // namespace anneal::datasets::jinja
