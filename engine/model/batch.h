#pragma once
// The memory of one micro-batch, and what is put there: documents packed one after another, without padding.

#include <cstdint>
#include <span>
#include <vector>

#include "engine/blocks/pass.h"

namespace anneal::engine {

// One document of a micro-batch. labels[j] is the id to be predicted AT place j from the places before it (as in
// transformers); kNoTarget for none. The first place is never predicted.
struct Document {
  std::span<const int32_t> ids;
  std::span<const int32_t> labels;  // as many as ids; empty: none
};

// Owned by the model's arena; the host writes into it between passes.
class BatchMemory {
 public:
  BatchMemory() = default;
  BatchMemory(Arena& arena, int64_t max_tokens, DType master);

  int64_t max_tokens() const { return max_tokens_; }
  void clear();
  // Packs a document behind the others. `loss_scale` is d loss / d row_loss; `place` counts the tokens of the optimizer
  // step before it.
  void add(const Document& document, double loss_scale, int64_t place);
  // The first position is not 0 when a cached sequence goes on.
  void add_continued(std::span<const int32_t> ids, int64_t first_position);
  // Valid until the next clear().
  BatchView view(int64_t max_length) const;
  int64_t tokens() const { return bounds_.back(); }

 private:
  int64_t max_tokens_ = 0;
  Tensor ids_, positions_, targets_, row_weight_, places_;
  std::vector<int32_t> bounds_{0};
};

}  // namespace anneal::engine
