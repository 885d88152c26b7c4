#pragma once
// What one thread holds while it is at a part, cut from its scratch. With no memory it only counts.

#include <cstddef>

#include "kernels/ops/attention/attention_blocks.h"

namespace anneal::cpu {

class FloatCutter {
 public:
  explicit FloatCutter(std::byte* memory) : memory_(reinterpret_cast<float*>(memory)) {}
  float* take(int64_t floats) {
    float* taken = memory_ == nullptr ? nullptr : memory_ + used_;
    used_ += round_up(floats, AttentionBlocks::kWidestVector);
    return taken;
  }
  int64_t bytes() const { return used_ * static_cast<int64_t>(sizeof(float)); }

 private:
  float* memory_;
  int64_t used_ = 0;
};

struct ForwardScratch {
  ForwardScratch(const AttentionBlocks& blocks, std::byte* memory) {
    FloatCutter cut(memory);
    keys = cut.take(blocks.packed_block());
    values = cut.take(blocks.packed_block());
    query = cut.take(AttentionBlocks::kRowBlock * blocks.padded_size);
    scores = cut.take(AttentionBlocks::kRowBlock * blocks.score_step);
    sums = cut.take(blocks.part_rows() * blocks.padded_size);
    largest = cut.take(blocks.part_rows());
    totals = cut.take(blocks.part_rows());
    bytes = cut.bytes();
  }
  float *keys, *values;            // packed: transposed, and by columns
  float *query, *scores;           // of a block of rows
  float *sums, *largest, *totals;  // of each row of the part
  int64_t bytes;
};

struct BackwardScratch {
  BackwardScratch(const AttentionBlocks& blocks, std::byte* memory) {
    FloatCutter cut(memory);
    keys = cut.take(blocks.packed_block());
    values = cut.take(blocks.packed_block());
    key_columns = cut.take(blocks.packed_block());
    query = cut.take(AttentionBlocks::kRowBlock * blocks.padded_size);
    dout = cut.take(AttentionBlocks::kRowBlock * blocks.padded_size);
    weights = cut.take(AttentionBlocks::kRowBlock * blocks.score_step);
    slopes = cut.take(AttentionBlocks::kRowBlock * blocks.score_step);
    dkeys = cut.take(blocks.key_block * blocks.padded_size);
    dvalues = cut.take(blocks.key_block * blocks.padded_size);
    dquery = cut.take(blocks.part_rows() * blocks.padded_size);
    lse = cut.take(blocks.part_rows());
    deltas = cut.take(blocks.part_rows());
    bytes = cut.bytes();
  }
  float *keys, *values, *key_columns;  // packed: both transposed, and keys by columns
  float *query, *dout;                 // of a block of rows
  float *weights, *slopes;             // of a block of rows: p; dp, then ds
  float *dkeys, *dvalues;              // sums for a block of keys
  float *dquery, *lse, *deltas;        // of each row of the part
  int64_t bytes;
};

}  // namespace anneal::cpu
