#pragma once
// The virtual seam of a model: the unit of recomputation, sharding, offload and profiling.

#include <vector>

#include "engine/blocks/parameter.h"
#include "engine/blocks/pass.h"

namespace anneal::engine {

// The residual stream between blocks: `pending` has still to be added to `sum`; the next norm does so in its one pass.
struct Residual {
  Tensor sum;      // (tokens, width), residual type
  Tensor pending;  // (tokens, width), activation type; none before the first block
};

// d loss / d residual stream, in place from the last block to the first.
struct Gradient {
  Tensor stream;       // (tokens, width), residual type
  bool wanted = true;  // false: nothing below is trained, the last step to the block's input is left out
};

class Block {
 public:
  virtual ~Block() = default;
  virtual void forward(Residual& stream, Pass& pass) = 0;
  // In: d loss / d output. Out, in place: d loss / d input, where wanted.
  virtual void backward(Gradient& gradient, Pass& pass) = 0;
  // Makes these rows of a slot again, from what is kept.
  virtual void refill(int slot, Part& part) = 0;
  virtual void parameters(ParameterList& list) = 0;

  const Slot& slot(int index) const { return slots_[static_cast<std::size_t>(index)]; }

 protected:
  // Slots are added in the order of the block's own enum.
  void add_slot(Storage& storage, const SlotSpec& spec) {
    ensure(slots_.size() < kMaxSlots, "a block has too many slots");
    slots_.push_back(storage.make(spec));
  }

 private:
  std::vector<Slot> slots_;
};

}  // namespace anneal::engine
