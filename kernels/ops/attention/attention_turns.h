#pragma once
// How the parts of one document and one key/value head add up their gradients of keys and values: block by block of
// keys, from the last part to the first, so that the sum's order is the same for every number of threads. Parts are
// handed out in that order too: a part waits only for one that some thread has begun.

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <thread>

namespace anneal::cpu {

// FP32 sums for results of a narrower type: a row of `columns` floats for each token, spread over the scratch of the
// team's threads.
struct TokenSums {
  std::byte* scratch = nullptr;  // where the first thread's rows begin
  int64_t thread_stride = 0;     // bytes
  int64_t tokens_per_thread = 1;
  int64_t columns = 0;
  float* row(int64_t token) const {
    std::byte* rows = scratch + token / tokens_per_thread * thread_stride;
    return reinterpret_cast<float*>(rows) + token % tokens_per_thread * columns;
  }
};

struct AttentionTurns {
  enum Gradient { kKey, kValue };

  int32_t* done = nullptr;        // blocks that this part has passed on, counted from the document's first
  int32_t* later = nullptr;       // the same of the part after this one in the document; null: there is none
  int64_t later_first_block = 0;  // the first block that it sees
  int64_t earlier_end = 0;        // past the last position of the part before this one; 0: there is none
  TokenSums token_sums{};
  int64_t first_token = 0;  // of the document
  int64_t key_column = 0;   // in a row of token_sums
  int64_t value_column = 0;

  // Returns when the later part has passed the block on; true if there is none that sees it: no sums stand there yet.
  bool wait_is_first(int64_t block) const {
    if (later == nullptr || block < later_first_block) return true;
    // The later part began earlier and keeps one block ahead: this seldom waits, and then briefly.
    while (std::atomic_ref(*later).load(std::memory_order_acquire) <= block) std::this_thread::yield();
    return false;
  }
  // No earlier part sees the key at this position: its sum is complete.
  bool is_last(int64_t position) const { return position >= earlier_end; }
  void pass_on(int64_t block) const {
    std::atomic_ref(*done).store(static_cast<int32_t>(block + 1), std::memory_order_release);
  }
  float* sums(int64_t position, Gradient which) const {
    return token_sums.row(first_token + position) + (which == kKey ? key_column : value_column);
  }
};

}  // namespace anneal::cpu
