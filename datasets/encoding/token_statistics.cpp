#include "datasets/encoding/token_statistics.h"

#include <algorithm>
#include <cmath>

namespace anneal::datasets {

int64_t LengthHistogram::at_rank(int64_t rank) const {
  for (const auto& [length, count] : counts_) {
    if (rank < count) return length;
    rank -= count;
  }
  return longest();
}

double LengthHistogram::median() const {
  if (rows_ == 0) return 0;
  return (static_cast<double>(at_rank((rows_ - 1) / 2)) + static_cast<double>(at_rank(rows_ / 2))) / 2;
}

int64_t LengthHistogram::percentile(double percent) const {
  if (rows_ == 0) return 0;
  const auto rank = static_cast<int64_t>(std::ceil(percent / 100.0 * static_cast<double>(rows_)));
  return at_rank(std::clamp<int64_t>(rank - 1, 0, rows_ - 1));
}

int64_t LengthHistogram::rows_longer_than(int64_t length) const {
  int64_t rows = 0;
  for (auto at = counts_.upper_bound(length); at != counts_.end(); ++at) rows += at->second;
  return rows;
}

}  // namespace anneal::datasets
