#pragma once
// Hands out optimizer steps: micro-batches of whole rows, read ahead by a thread of its own.
//
// A step never reaches over the end of an epoch: the last window may have fewer micro-batches (and divides by its own
// label tokens). Where to go on is (epoch, step in the epoch); nothing else is needed to resume exactly.

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "datasets/cache/token_cache.h"
#include "datasets/loading/epoch_plan.h"

namespace anneal::datasets {

struct LoadedRow {
  int64_t row = 0;  // of the cache
  CachedRow content;
};

struct MicroBatch {
  std::vector<LoadedRow> rows;
  std::size_t used = 0;  // rows in use; those behind keep their memory for later
  int64_t tokens = 0;
  int64_t label_tokens = 0;
};

struct LoadedStep {
  int64_t epoch = 0;          // from 0
  int64_t step_in_epoch = 0;  // from 0
  int64_t steps_of_epoch = 0;
  std::vector<MicroBatch> micro_batches;
  std::size_t used = 0;
  int64_t tokens = 0;
  int64_t label_tokens = 0;
  bool ends_epoch() const { return step_in_epoch + 1 == steps_of_epoch; }
};

struct LoadingPosition {
  int64_t epoch = 0;
  int64_t step_in_epoch = 0;
  friend bool operator==(const LoadingPosition&, const LoadingPosition&) = default;
};

class Loader {
 public:
  // Takes the cache over: from now on only the loader's thread reads it.
  Loader(TokenCache cache, const PackingOptions& packing, int64_t accumulation_steps, LoadingPosition start = {});
  ~Loader();
  Loader(const Loader&) = delete;
  Loader& operator=(const Loader&) = delete;

  // The next step, without end: epoch follows epoch. Takes `step`'s memory back for a later one. Throws what the
  // reading thread met.
  void next(LoadedStep& step);

  // Of an epoch; packing makes it vary a little from epoch to epoch.
  static int64_t steps_of_epoch(const TokenCache& cache, const PackingOptions& packing, int64_t accumulation_steps, int64_t epoch);

 private:
  void read_ahead();
  void load(LoadedStep& step, const EpochPlan& plan, int64_t epoch, int64_t index);

  TokenCache cache_;
  PackingOptions packing_;
  int64_t accumulation_steps_;
  LoadingPosition position_;
  std::vector<int64_t> lengths_;

  static constexpr std::size_t kAhead = 2;  // steps read ahead
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<LoadedStep> ready_;
  std::vector<LoadedStep> free_;
  std::exception_ptr failure_;
  bool is_stopping_ = false;
  std::thread thread_;
};

// Lengths of all rows, as EpochPlan wants them.
std::vector<int64_t> row_lengths(const TokenCache& cache);

}  // namespace anneal::datasets
