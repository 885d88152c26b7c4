#pragma once
// Where a block's intermediate values lie. A block names its slots when it is built; the plan says which rungs of the
// recomputation ladder are dropped; from both, each slot gets its memory, once:
//   kept              rows of a tensor of its own, from forward to backward
//   dropped, whole    one buffer of all rows, shared by all blocks
//   dropped, rows     a buffer of one part's rows for each worker, shared by all blocks

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/backend.h"
#include "kernels/core/arena.h"

namespace anneal::engine {

// What is recomputed in backward rather than kept, each rung with all before it (recipe key `recompute`).
enum class Rung : uint8_t {
  kNone = 0,
  kActivation = 1,   // the gated activation's output
  kNorm = 2,         // the norms' outputs
  kFeedForward = 3,  // the gate and up products
  kAttention = 4,    // q, k, v and attention
  kBlock = 5,        // everything but the block's input
};
std::string_view name_of(Rung rung);

// When a slot is dropped.
enum class Keep : uint8_t {
  kAlways,     // never while training (a block's input); dropped when generating
  kUntilRung,  // dropped when the plan's rung reaches the slot's
  kNever,      // lives inside one direction: gradients of intermediates, a branch's output
};

struct SlotSpec {
  std::string_view name;  // slots of one name share their buffer where they are dropped
  DType dtype = DType::kF32;
  int64_t columns = 1;
  Keep keep = Keep::kNever;
  Rung rung = Rung::kNone;  // with kUntilRung
  bool is_whole = false;    // all rows are needed at once (attention, weight gradients, the residual stream)
};

struct Slot {
  Tensor memory;         // (tokens, columns), or (threads · part rows, columns) for dropped rows
  bool is_kept = false;  // its own memory from forward to backward
  bool by_worker = false;
};

struct StoragePlan {
  int64_t max_tokens = 0;  // rows of the largest micro-batch
  Rung dropped = Rung::kNone;
  bool keeps_nothing = false;  // evaluating or generating: no backward
};

class Storage {
 public:
  Storage(const StoragePlan& plan, const Backend& backend, Arena& arena)
      : plan_(plan),
        threads_(backend.threads()),
        part_rows_(std::min(backend.part_rows(), plan.max_tokens)),
        arena_(arena) {}

  Slot make(const SlotSpec& spec);
  // One buffer of these sizes for all who ask by this name (partial sums of gradients).
  Tensor shared(std::string_view label, std::string_view name, DType dtype, std::initializer_list<int64_t> sizes);

  const StoragePlan& plan() const { return plan_; }
  int64_t part_rows() const { return part_rows_; }
  int64_t max_parts() const { return (plan_.max_tokens + part_rows_ - 1) / part_rows_; }
  Arena& arena() { return arena_; }

 private:
  bool is_kept(const SlotSpec& spec) const;

  StoragePlan plan_;
  int threads_;
  int64_t part_rows_;
  Arena& arena_;
  std::map<std::string, Tensor, std::less<>> shared_;
};

}  // namespace anneal::engine
