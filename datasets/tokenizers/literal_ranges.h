#pragma once

#include <algorithm>
#include <span>

#include "datasets/span.h"

namespace anneal::datasets {

// The ranges are in order and apart.
inline bool overlaps_any(const Span& span, std::span<const Span> ranges) {
  const auto first =
      std::partition_point(ranges.begin(), ranges.end(), [&](const Span& range) { return range.end <= span.begin; });
  return first != ranges.end() && first->overlaps(span);
}

}  // namespace anneal::datasets
