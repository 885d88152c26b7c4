#include "engine/runs/recorder.h"

#include <algorithm>
#include <iterator>

namespace anneal::engine {
namespace {

constexpr std::size_t kMostNames = 4096;  // of numbers; more would be a step number in a name

bool is_empty(const RecordBatch& batch) {
  return batch.scalars.empty() && batch.items.empty() && !batch.finished_step && batch.controls_taken_up_to == 0;
}

void append(RecordBatch& to, RecordBatch& from) {
  to.scalars.insert(to.scalars.end(), from.scalars.begin(), from.scalars.end());
  std::move(from.items.begin(), from.items.end(), std::back_inserter(to.items));
  if (from.finished_step) to.finished_step = std::max(to.finished_step.value_or(0), *from.finished_step);
}

void clear(RecordBatch& batch) {  // keeps the memory of the lists
  batch.scalars.clear();
  batch.items.clear();
  batch.finished_step.reset();
  batch.controls_taken_up_to = 0;
}

RunEvent left_out_event(int64_t step, int64_t count) {
  return {.step = step,
          .kind = "notice",
          .data = {{"message",
                    fmt::format("{} numbers of steps are missing from the record: it could not be written for too "
                                "long. Nothing else was lost.",
                                count)}},
          .time_ms = now_ms()};
}

}  // namespace

Recorder::Recorder(RunStore store, const RecorderOptions& options, ControlWord* control)
    : options_(options),
      control_(control != nullptr ? *control : own_control_),
      store_(std::move(store)),
      next_try_(Clock::now()),
      next_heartbeat_(Clock::now()) {
  thread_ = std::thread([this] { work(); });
}

Recorder::~Recorder() { finish(); }

void Recorder::scalars(int64_t step, std::span<const Scalar> values) {
  ensure(step >= 0, "a number of a step before the first");
  const std::lock_guard lock(mutex_);
  ensure(!is_ending_, "a number is recorded after the end of the run");
  ++pushed_;
  queue_.finished_step = std::max(queue_.finished_step.value_or(0), step);
  // `waiting` counts what the thread has taken and not written yet, too.
  if (static_cast<std::size_t>(health_.waiting) + values.size() > options_.capacity) {
    health_.left_out += static_cast<int64_t>(values.size());
    return;
  }
  health_.waiting += static_cast<int64_t>(values.size());
  for (const Scalar& scalar : values) {
    auto name = names_.find(scalar.name);
    if (name == names_.end()) {
      ensure(names_.size() < kMostNames, "too many names of numbers");
      name = names_.emplace(scalar.name).first;
    }
    queue_.scalars.push_back({&*name, step, scalar.value});
  }
}

void Recorder::push(RecordItem item) {
  if (auto* event = std::get_if<RunEvent>(&item); event != nullptr && event->time_ms == 0) event->time_ms = now_ms();
  if (auto* artifact = std::get_if<Artifact>(&item); artifact != nullptr && artifact->time_ms == 0) {
    artifact->time_ms = now_ms();
  }
  const std::lock_guard lock(mutex_);
  ensure(!is_ending_, "something is recorded after the end of the run");
  ++pushed_;
  ++health_.waiting;
  queue_.items.push_back(std::move(item));
}

RecorderHealth Recorder::health() const {
  const std::lock_guard lock(mutex_);
  return health_;
}

bool Recorder::flush(std::chrono::milliseconds patience) {
  std::unique_lock lock(mutex_);
  const uint64_t wanted = pushed_;
  if (written_ >= wanted) return true;
  is_flush_wanted_ = true;
  wake_.notify_one();
  return committed_.wait_for(lock, patience, [&] { return written_ >= wanted; });
}

std::string Recorder::finish() {
  if (!thread_.joinable()) return "";
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
  }
  wake_.notify_one();
  thread_.join();
  store_.reset();
  return written_ == pushed_ ? "" : health_.trouble;
}

void Recorder::work() {
  Clock::time_point next_commit = Clock::now() + options_.commit_every;
  for (bool ends = false; !ends;) {
    {
      std::unique_lock lock(mutex_);
      wake_.wait_until(lock, next_commit, [&] { return is_ending_ || is_flush_wanted_; });
      if (is_ending_ || is_flush_wanted_) next_try_ = Clock::now();
      ends = is_ending_;
      is_flush_wanted_ = false;
      take_over_queue();
    }
    const Clock::time_point now = Clock::now();
    next_commit = now + options_.commit_every;
    if (now >= next_try_) commit(now);
    bring_in_requests();
  }
}

void Recorder::take_over_queue() {
  batch_end_ = pushed_;
  left_out_seen_ = health_.left_out;
  if (is_empty(batch_)) {
    std::swap(batch_, queue_);
  } else {
    append(batch_, queue_);
    clear(queue_);
  }
}

void Recorder::commit(Clock::time_point now) {
  if (is_empty(batch_) && now < next_heartbeat_) return;
  if (left_out_seen_ > left_out_reported_) {
    batch_.items.emplace_back(left_out_event(batch_.finished_step.value_or(0), left_out_seen_ - left_out_reported_));
    left_out_reported_ = left_out_seen_;
    const std::lock_guard lock(mutex_);
    ++health_.waiting;
  }
  try {
    write_batch();
    next_heartbeat_ = now + options_.heartbeat_every;
  } catch (const Error& error) {
    const auto* fault = dynamic_cast<const DatabaseError*>(&error);
    const bool is_busy = fault != nullptr && fault->fault() == DatabaseFault::kBusy;
    next_try_ = now + (is_busy ? options_.commit_every : options_.retry_every);
    const std::lock_guard lock(mutex_);
    health_.trouble = error.what();
    health_.is_disk_full = fault != nullptr && fault->fault() == DatabaseFault::kFull;
  }
}

void Recorder::write_batch() {
  store_->write(batch_);
  {
    const std::lock_guard lock(mutex_);
    health_.waiting -= static_cast<int64_t>(batch_.scalars.size() + batch_.items.size());
    health_.trouble.clear();
    health_.is_disk_full = false;
    written_ = batch_end_;
  }
  committed_.notify_all();
  clear(batch_);
}

void Recorder::bring_in_requests() {
  try {
    for (const StoredRequest& stored : store_->requests_after(last_request_)) {
      control_.post(stored.request);
      last_request_ = stored.id;
      batch_.controls_taken_up_to = stored.id;
    }
  } catch (const Error&) {
    // Somebody holds the file just now; the next look is in 200 ms.
  }
}

}  // namespace anneal::engine
