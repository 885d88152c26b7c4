#pragma once
// What an op of the processor backend may use: its threads and their scratch.

#include <cstddef>
#include <cstdint>

#include "kernels/backend.h"

namespace anneal::cpu {

// The team of one backend. Scratch is cut from the plan's arena: nothing is allocated inside an op after the first step.
struct Team {
  int threads = 1;
  std::byte* scratch = nullptr;
  int64_t scratch_stride = 0;  // bytes of each thread's scratch

  std::byte* scratch_of(int thread, int64_t bytes) const {
    ensure(bytes <= scratch_stride, "an op needs more scratch than was planned");
    return scratch + thread * scratch_stride;
  }
};

struct Worker {
  Team& team;
  int thread = Stream::kWhole;  // inside a part: this thread's number; kWhole: the op may use the whole team
  bool is_whole() const { return thread == Stream::kWhole; }
  std::byte* scratch(int64_t bytes) const { return team.scratch_of(is_whole() ? 0 : thread, bytes); }
};

#define ANNEAL_DECLARE_CPU(Args, gradient) void run(const Args& args, Worker worker);
ANNEAL_FOR_EACH_OP(ANNEAL_DECLARE_CPU)
#undef ANNEAL_DECLARE_CPU

// Scratch of one thread for an op; an op that needs some overloads this beside its run().
template <class Args>
int64_t scratch_bytes(const Args&, int /*threads*/) {
  return 0;
}
int64_t scratch_bytes(const Linear::Forward& args, int threads);
int64_t scratch_bytes(const Linear::BackwardInput& args, int threads);
int64_t scratch_bytes(const Linear::BackwardWeight& args, int threads);
int64_t scratch_bytes(const Attention::Forward& args, int threads);
int64_t scratch_bytes(const Attention::Backward& args, int threads);
int64_t scratch_bytes(const CachedAttention::Forward& args, int threads);
int64_t scratch_bytes(const LinearCrossEntropy::Forward& args, int threads);
int64_t scratch_bytes(const LinearCrossEntropy::ForwardBackward& args, int threads);

}  // namespace anneal::cpu
