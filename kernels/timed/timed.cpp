#include "kernels/timed/timed.h"

#include <algorithm>
#include <chrono>

namespace anneal {

TimedBackend::TimedBackend(std::unique_ptr<Backend> inner) : inner_(std::move(inner)) { clear(); }

void TimedBackend::clear() {
  for (std::vector<Counter>& one : counters_) one.assign(static_cast<std::size_t>(inner_->threads()) + 1, {});
}

void TimedBackend::run_op(int op, const void* args, Stream stream) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  run_op_of(*inner_, op, args, stream);
  Counter& here = counter(op, stream);
  here.seconds += std::chrono::duration<double>(Clock::now() - begin).count();
  here.operations += operations_of(op, args);
  ++here.calls;
}

std::vector<TimedBackend::OpTime> TimedBackend::times() const {
  std::vector<OpTime> list;
  for (int op = 0; op < kOpCount; ++op) {
    OpTime time{.name = op_name(op)};
    const std::vector<Counter>& counters = counters_[static_cast<std::size_t>(op)];
    for (std::size_t i = 0; i < counters.size(); ++i) {
      const bool is_team = i == 0;
      time.thread_seconds += counters[i].seconds * (is_team ? inner_->threads() : 1);
      time.operations += counters[i].operations;
      time.calls += counters[i].calls;
    }
    if (time.calls > 0) list.push_back(time);
  }
  std::sort(list.begin(), list.end(),
            [](const OpTime& a, const OpTime& b) { return a.thread_seconds > b.thread_seconds; });
  return list;
}

}  // namespace anneal
