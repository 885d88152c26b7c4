#include "datasets/loading/epoch_plan.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "kernels/core/error.h"
#include "kernels/core/philox.h"

namespace anneal::datasets {
namespace {

template <class T>
void shuffle(std::vector<T>& values, RandomStream& random) {
  for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[random.next_below(i)]);
}

// Best fit in shuffled order: each row goes where it leaves the least room. Sorting by length first would fill a little
// better, but the same rows would then meet in every epoch.
std::vector<std::vector<int64_t>> pack(const std::vector<int64_t>& order, std::span<const int64_t> lengths, int64_t row_length) {
  std::vector<std::vector<int64_t>> packed;
  std::multimap<int64_t, std::size_t> by_room;  // room left -> packed row; of equal ones the oldest comes first
  for (const int64_t row : order) {
    const int64_t length = lengths[static_cast<std::size_t>(row)];
    ensure(length <= row_length, "a row is longer than max_sequence_length");
    const auto best = by_room.lower_bound(length);
    int64_t room = row_length;
    std::size_t place = packed.size();
    if (best == by_room.end()) {
      packed.emplace_back();
    } else {
      room = best->first;
      place = best->second;
      by_room.erase(best);
    }
    packed[place].push_back(row);
    if (room > length) by_room.emplace(room - length, place);
  }
  return packed;
}

}  // namespace

EpochPlan::EpochPlan(std::span<const int64_t> lengths, const PackingOptions& options, int64_t epoch) : first_{0} {
  std::vector<int64_t> order(lengths.size());
  std::iota(order.begin(), order.end(), int64_t{0});
  RandomStream random(options.seed, RandomUse::kShuffle, static_cast<uint64_t>(epoch));
  if (options.shuffles) shuffle(order, random);
  rows_.reserve(order.size());
  int64_t in_batch = 0;
  const auto end_row = [&] {
    if (++in_batch < options.batch_rows) return;
    first_.push_back(rows_.size());
    in_batch = 0;
  };
  if (options.packing) {
    std::vector<std::vector<int64_t>> packed = pack(order, lengths, options.row_length);
    // Rows that were opened first are fuller: without this the batches would thin out towards the epoch's end.
    if (options.shuffles) shuffle(packed, random);
    for (const std::vector<int64_t>& rows : packed) {
      rows_.insert(rows_.end(), rows.begin(), rows.end());
      end_row();
    }
  } else {
    for (const int64_t row : order) {
      rows_.push_back(row);
      end_row();
    }
  }
  if (in_batch > 0) first_.push_back(rows_.size());
}

}  // namespace anneal::datasets
