#pragma once
// Scratch of calls that are over, kept for the next ones: as many as there were calls at the same time. Thread-safe.

#include <memory>
#include <mutex>
#include <vector>

#include "datasets/tokenizers/models/model.h"

namespace anneal::datasets {

class ScratchPool {
 public:
  // Returns itself to the pool, which outlives it.
  class Lease {
   public:
    explicit Lease(ScratchPool& pool) : pool_(pool), scratch_(pool.take()) {}
    ~Lease() { pool_.give_back(std::move(scratch_)); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    ModelScratch& operator*() { return *scratch_; }

   private:
    ScratchPool& pool_;
    std::unique_ptr<ModelScratch> scratch_;
  };

 private:
  std::unique_ptr<ModelScratch> take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) return std::make_unique<ModelScratch>();
    auto scratch = std::move(free_.back());
    free_.pop_back();
    return scratch;
  }
  void give_back(std::unique_ptr<ModelScratch> scratch) {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(scratch));
  }

  std::mutex mutex_;
  std::vector<std::unique_ptr<ModelScratch>> free_;
};

}  // namespace anneal::datasets
