#pragma once
// A run of bytes in a text: begin is in it, end is behind it.

#include <cstddef>

namespace anneal::datasets {

struct Span {
  std::size_t begin = 0;
  std::size_t end = 0;

  std::size_t size() const { return end - begin; }
  bool empty() const { return begin == end; }
  // Two empty spans never overlap, and an empty one overlaps nothing.
  bool overlaps(const Span& other) const { return begin < other.end && other.begin < end; }
  friend bool operator==(const Span&, const Span&) = default;
};

}  // namespace anneal::datasets
