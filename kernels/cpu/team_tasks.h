#pragma once
// Tasks of unequal size for the team.

#include <omp.h>

#include <atomic>

#include "kernels/cpu/denormals.h"
#include "kernels/cpu/worker.h"

namespace anneal::cpu {

// Calls body(task, thread) for 0 … count-1, handed out one by one in ascending order (a task is begun only after every
// smaller one); `thread` numbers the scratch to use. The body must not throw. Inside a part: one thread does them all.
template <class Body>
void for_each_task(const Worker& worker, int64_t count, const Body& body) {
  if (!worker.is_whole() || worker.team.threads == 1 || count == 1) {
    for (int64_t task = 0; task < count; ++task) body(task, worker.is_whole() ? 0 : worker.thread);
    return;
  }
  std::atomic<int64_t> next{0};
#pragma omp parallel num_threads(worker.team.threads)
  {
    const DenormalsFlushed flushed;
    for (int64_t task = next.fetch_add(1); task < count; task = next.fetch_add(1)) body(task, omp_get_thread_num());
  }
}

// As above, where the whole work may be too small for a team: waking one takes microseconds, and on a busy machine a
// thread that does not get a core keeps the others waiting for far longer.
template <class Body>
void for_each_task(const Worker& worker, int64_t count, double operations, const Body& body) {
  constexpr double kWorthATeam = 2e5;  // about 20 microseconds of one core
  if (worker.is_whole() && operations < kWorthATeam) {
    for (int64_t task = 0; task < count; ++task) body(task, 0);
    return;
  }
  for_each_task(worker, count, body);
}

}  // namespace anneal::cpu
