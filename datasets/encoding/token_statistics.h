#pragma once
// How long rows are. Holds one count per length that occurs, not one per row.

#include <cstdint>
#include <map>

namespace anneal::datasets {

class LengthHistogram {
 public:
  void add(int64_t length) {
    ++counts_[length];
    ++rows_;
  }
  int64_t rows() const { return rows_; }
  // All are 0 without rows.
  int64_t shortest() const { return counts_.empty() ? 0 : counts_.begin()->first; }
  int64_t longest() const { return counts_.empty() ? 0 : counts_.rbegin()->first; }
  double median() const;                     // of an even number of rows: the mean of the two in the middle
  int64_t percentile(double percent) const;  // the shortest length that so many percent of the rows do not exceed
  int64_t rows_longer_than(int64_t length) const;
  const std::map<int64_t, int64_t>& counts() const { return counts_; }  // length -> rows

 private:
  int64_t at_rank(int64_t rank) const;  // from 0
  std::map<int64_t, int64_t> counts_;
  int64_t rows_ = 0;
};

struct TokenStatistics {
  LengthHistogram lengths;   // of all rows that could be encoded, before any cut
  int64_t total = 0;         // tokens of the rows that are learned from
  int64_t label_tokens = 0;  // of them the learned ones
};

}  // namespace anneal::datasets
