#pragma once
// How an op spreads over the team: not at all inside a part, in dynamic pieces when it may use the whole team.

#include <algorithm>

#include "kernels/cpu/worker.h"

namespace anneal::cpu {

// Calls body(begin, end) for ranges that cover [0, count), each of a multiple of `grain` but the last. The body must
// not throw and its result must not depend on where the ranges are cut.
template <class Body>
void split(const Worker& worker, int64_t count, int64_t grain, Body body) {
  if (!worker.is_whole() || worker.team.threads == 1 || count <= grain) {
    body(int64_t{0}, count);
    return;
  }
  const int64_t pieces = (count + grain - 1) / grain;
  // Handed out one by one: with another program on a core, a fixed split waits for the slower thread.
#pragma omp parallel for schedule(dynamic, 1) num_threads(worker.team.threads)
  for (int64_t piece = 0; piece < pieces; ++piece) {
    body(piece * grain, std::min(count, (piece + 1) * grain));
  }
}

// A grain that gives every thread a few pieces, in whole multiples of `unit`.
inline int64_t grain_for(const Worker& worker, int64_t count, int64_t unit) {
  constexpr int64_t kPiecesPerThread = 4;
  const int64_t pieces = kPiecesPerThread * worker.team.threads;
  const int64_t grain = (count + pieces - 1) / pieces;
  return std::max(unit, (grain + unit - 1) / unit * unit);
}

}  // namespace anneal::cpu
