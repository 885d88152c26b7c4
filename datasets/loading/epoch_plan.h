#pragma once
// Which rows stand in which micro-batch of an epoch: a pure function of the rows' lengths, the options, the seed and
// the epoch, so that a run is resumed by counting.
//
// Packed: whole rows of data fill rows of `row_length` tokens (best fit, in shuffled order);
// a micro-batch is `batch_rows` of them. Not packed: a micro-batch is `batch_rows` rows of data. Nothing is padded
// either way; no row sees another.

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace anneal::datasets {

struct PackingOptions {
  bool packing = true;
  int64_t row_length = 2048;  // max_sequence_length; no row of data is longer
  int64_t batch_rows = 1;     // per_device_batch_size
  bool shuffles = true;       // evaluation keeps the order
  uint64_t seed = 0;
};

class EpochPlan {
 public:
  EpochPlan(std::span<const int64_t> lengths, const PackingOptions& options, int64_t epoch);

  int64_t micro_batches() const { return static_cast<int64_t>(first_.size()) - 1; }
  // Rows of data in this micro-batch, in their order.
  std::span<const int64_t> rows(int64_t micro_batch) const {
    const auto at = static_cast<std::size_t>(micro_batch);
    return std::span(rows_).subspan(first_[at], first_[at + 1] - first_[at]);
  }

 private:
  std::vector<int64_t> rows_;
  std::vector<std::size_t> first_;  // of each micro-batch, then the number of rows
};

}  // namespace anneal::datasets
