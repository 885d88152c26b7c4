#pragma once
// All that a block may touch while it computes. A Pass is one micro-batch; a Part is one task's rows of it, on one
// worker.

#include <array>
#include <bitset>
#include <span>

#include "engine/blocks/compute_types.h"
#include "engine/blocks/storage.h"
#include "kernels/backend.h"

namespace anneal::engine {

class Block;
class Pass;
class KeyValueCache;

// One micro-batch as the blocks see it: rows of tokens, packed, with the bounds of the documents.
struct BatchView {
  int64_t tokens = 0;
  int64_t max_length = 0;           // of the longest document that may come
  std::span<const int32_t> bounds;  // first token of each document, then `tokens`; on the host; empty in a dry run
  Tensor ids;                       // (tokens), I32
  Tensor positions;                 // (tokens), I32: place in its document
  Tensor targets;                   // (tokens), I32: the id to be predicted from this place on; kNoTarget for none
  Tensor row_weight;                // (tokens), master type: d loss / d row_loss
  Tensor places;                    // (tokens), I64: place in the whole optimizer step; keys dropout
};

// Everything random in a step is a function of these and of a token's place.
struct RandomKey {
  uint64_t seed = 0;
  uint64_t step = 0;
  std::array<uint32_t, 2> for_use(uint64_t block, uint64_t projection) const;
};

constexpr int kMaxSlots = 32;
using SlotBits = std::bitset<kMaxSlots>;

// A task's rows [begin, end), on one worker.
class Part {
 public:
  Part(Pass& pass, int64_t index, int64_t begin, int64_t end, Stream stream)
      : pass_(pass), index_(index), begin_(begin), end_(end), stream_(stream) {}

  Pass& pass() { return pass_; }
  int64_t index() const { return index_; }
  int64_t begin() const { return begin_; }
  int64_t end() const { return end_; }
  int64_t rows() const { return end_ - begin_; }

  // These rows of a tensor of all rows.
  Tensor of(const Tensor& whole) const { return whole.slice_rows(begin_, end_); }
  // These rows of a slot, or this worker's scratch where the plan dropped it: to be written.
  Tensor keep(const Slot& slot) const;
  // These rows of a slot, to be read in backward: refilled by its block if the plan dropped it.
  Tensor take(Block& block, int slot);

  template <class Args>
  void run(const Args& args);

 private:
  Pass& pass_;
  int64_t index_;
  int64_t begin_;
  int64_t end_;
  Stream stream_;
  SlotBits filled_;  // dropped slots that this part has refilled
};

class Pass {
 public:
  Pass(Backend& backend, const BatchView& batch, const ComputeTypes& precision, int64_t part_rows, RandomKey key = {})
      : backend_(backend), batch_(batch), precision_(precision), part_rows_(part_rows), key_(key) {}

  Backend& backend() { return backend_; }
  const BatchView& batch() const { return batch_; }
  const ComputeTypes& precision() const { return precision_; }
  const RandomKey& key() const { return key_; }
  int64_t tokens() const { return batch_.tokens; }
  int64_t parts() const { return (batch_.tokens + part_rows_ - 1) / part_rows_; }

  // Takes each part through `step`; parts run side by side. Returns when all are done.
  void rows(FunctionRef<void(Part&)> step);

  // An op over all rows.
  template <class Args>
  void run(const Args& args) {
    backend_.run(args);
  }

  // Set while generating: attention reads the cache of one sequence.
  KeyValueCache* cache = nullptr;
  // Training: adapters' dropout is on.
  bool is_training = false;
  // The base model alone: a preference method's reference, or a comparison.
  bool adapters_off = false;
  // Dropped slots of the block at work that all parts have refilled already; a block resets it.
  SlotBits filled;

 private:
  Backend& backend_;
  BatchView batch_;
  ComputeTypes precision_;
  int64_t part_rows_;
  RandomKey key_;
};

template <class Args>
void Part::run(const Args& args) {
  pass_.backend().run(args, stream_);
}

}  // namespace anneal::engine
