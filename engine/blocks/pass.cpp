#include "engine/blocks/pass.h"

#include "engine/blocks/block.h"
#include "kernels/core/philox.h"

namespace anneal::engine {

std::array<uint32_t, 2> RandomKey::for_use(uint64_t block, uint64_t projection) const {
  const auto words = philox4x32({static_cast<uint32_t>(step), static_cast<uint32_t>(step >> 32),
                                 static_cast<uint32_t>(block), static_cast<uint32_t>(projection)},
                                {static_cast<uint32_t>(seed), static_cast<uint32_t>(seed >> 32) ^ 0x5D0F0A7Du});
  return {words[0], words[1]};
}

Tensor Part::keep(const Slot& slot) const {
  if (!slot.by_worker) return slot.memory.slice_rows(begin_, end_);
  // Every worker's rows begin at a multiple of the rows that a part may have.
  const int64_t first = stream_.worker * (slot.memory.rows() / pass_.backend().threads());
  return slot.memory.slice_rows(first, first + rows());
}

Tensor Part::take(Block& block, int slot) {
  const Slot& memory = block.slot(slot);
  const auto bit = static_cast<std::size_t>(slot);
  if (!memory.is_kept && !filled_[bit] && !pass_.filled[bit]) {
    block.refill(slot, *this);
    filled_[bit] = true;
  }
  return keep(memory);
}

void Pass::rows(FunctionRef<void(Part&)> step) {
  backend_.for_each_part(parts(), [&](int64_t index, Stream stream) {
    const int64_t begin = index * part_rows_;
    Part part(*this, index, begin, std::min(begin + part_rows_, tokens()), stream);
    step(part);
  });
}

}  // namespace anneal::engine
