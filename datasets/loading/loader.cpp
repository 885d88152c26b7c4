#include "datasets/loading/loader.h"

#include <utility>

#include "kernels/core/error.h"

namespace anneal::datasets {

std::vector<int64_t> row_lengths(const TokenCache& cache) {
  std::vector<int64_t> lengths(static_cast<std::size_t>(cache.rows()));
  for (int64_t row = 0; row < cache.rows(); ++row) lengths[static_cast<std::size_t>(row)] = cache.length(row);
  return lengths;
}

int64_t Loader::steps_of_epoch(const TokenCache& cache, const PackingOptions& packing, int64_t accumulation_steps, int64_t epoch) {
  const EpochPlan plan(row_lengths(cache), packing, epoch);
  return (plan.micro_batches() + accumulation_steps - 1) / accumulation_steps;
}

Loader::Loader(TokenCache cache, const PackingOptions& packing, int64_t accumulation_steps, LoadingPosition start)
    : cache_(std::move(cache)), packing_(packing), accumulation_steps_(accumulation_steps), position_(start),
      lengths_(row_lengths(cache_)), free_(kAhead) {
  ensure(cache_.rows() > 0 && accumulation_steps > 0, "a loader without rows or micro-batches");
  thread_ = std::thread([this] { read_ahead(); });
}

Loader::~Loader() {
  {
    const std::lock_guard guard(mutex_);
    is_stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Loader::next(LoadedStep& step) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return !ready_.empty() || failure_; });
  if (ready_.empty()) std::rethrow_exception(failure_);
  std::swap(step, ready_.front());
  free_.push_back(std::move(ready_.front()));
  ready_.pop_front();
  lock.unlock();
  changed_.notify_all();
}

void Loader::read_ahead() {
  try {
    for (;; ++position_.epoch, position_.step_in_epoch = 0) {
      const EpochPlan plan(lengths_, packing_, position_.epoch);
      const int64_t steps = (plan.micro_batches() + accumulation_steps_ - 1) / accumulation_steps_;
      for (; position_.step_in_epoch < steps; ++position_.step_in_epoch) {
        LoadedStep step;
        {
          std::unique_lock lock(mutex_);
          changed_.wait(lock, [&] { return is_stopping_ || !free_.empty(); });
          if (is_stopping_) return;
          step = std::move(free_.back());
          free_.pop_back();
        }
        load(step, plan, position_.epoch, position_.step_in_epoch);
        step.steps_of_epoch = steps;
        {
          const std::lock_guard guard(mutex_);
          ready_.push_back(std::move(step));
        }
        changed_.notify_all();
      }
    }
  } catch (...) {
    {
      const std::lock_guard guard(mutex_);
      failure_ = std::current_exception();
    }
    changed_.notify_all();
  }
}

void Loader::load(LoadedStep& step, const EpochPlan& plan, int64_t epoch, int64_t index) {
  step.epoch = epoch;
  step.step_in_epoch = index;
  step.tokens = step.label_tokens = 0;
  const int64_t begin = index * accumulation_steps_;
  const int64_t end = std::min(begin + accumulation_steps_, plan.micro_batches());
  step.used = static_cast<std::size_t>(end - begin);
  if (step.micro_batches.size() < step.used) step.micro_batches.resize(step.used);
  for (int64_t batch = begin; batch < end; ++batch) {
    MicroBatch& micro = step.micro_batches[static_cast<std::size_t>(batch - begin)];
    const std::span<const int64_t> rows = plan.rows(batch);
    micro.used = rows.size();
    micro.tokens = micro.label_tokens = 0;
    if (micro.rows.size() < micro.used) micro.rows.resize(micro.used);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      micro.rows[i].row = rows[i];
      cache_.read(rows[i], micro.rows[i].content);
      micro.tokens += cache_.length(rows[i]);
      micro.label_tokens += cache_.label_count(rows[i]);
    }
    step.tokens += micro.tokens;
    step.label_tokens += micro.label_tokens;
  }
}

}  // namespace anneal::datasets
