#pragma once
// How attention on the processor is cut. The cuts count from the document's first token and depend on the shape alone,
// so that a document gives the same bits wherever it stands and however many threads there are.
//
// The query heads that share a key/value head are one matrix: its row r is query r / group, head r % group. A part is
// `part_queries` queries of one document and one key/value head: the work of one thread. It goes through the document's
// keys in blocks, and through its own rows in blocks of kRowBlock, so that scores are never more than
// kRowBlock × key_block numbers.

#include <algorithm>

#include "kernels/ops/attention/attention.h"

namespace anneal::cpu {

constexpr int64_t round_up(int64_t value, int64_t unit) { return (value + unit - 1) / unit * unit; }

struct AttentionBlocks {
  static constexpr int64_t kRowBlock = 48;      // rows of queries at a time
  static constexpr int64_t kPartRows = 1008;    // at most, of one part
  static constexpr int64_t kWidestVector = 16;  // floats; sizes are padded for any instruction set
  static constexpr int64_t kWidestPanel = 2 * kWidestVector;

  explicit AttentionBlocks(const AttentionShape& shape)
      : group(shape.heads / shape.kv_heads),
        head_size(shape.head_size),
        padded_size(round_up(head_size, kWidestVector)),
        // The packed keys and values, the scores and the sums of one block together stay within half a megabyte.
        key_block(std::clamp<int64_t>(16384 / padded_size / kWidestPanel * kWidestPanel, 64, 256)),
        score_step(key_block + kWidestVector),  // not a power of two: rows fall into different cache sets
        part_queries(std::max<int64_t>(1, kPartRows / group)) {}

  int64_t group, head_size, padded_size, key_block, score_step, part_queries;

  int64_t parts(int64_t queries) const { return (queries + part_queries - 1) / part_queries; }
  int64_t part_rows() const { return part_queries * group; }
  // Floats of a block of keys or values, packed.
  int64_t packed_block() const { return key_block * round_up(head_size, kWidestPanel); }
};

// The positions, from the start of the document, of the queries of one part.
struct QueryRange {
  int64_t begin, end;
};

inline int64_t first_visible(const AttentionShape& shape, int64_t position) {
  return shape.window > 0 ? std::max<int64_t>(0, position - shape.window + 1) : 0;
}
inline int64_t first_key_block(const AttentionShape& shape, const AttentionBlocks& blocks, QueryRange queries) {
  return first_visible(shape, queries.begin) / blocks.key_block;
}
inline int64_t end_key_block(const AttentionBlocks& blocks, QueryRange queries) {
  return (queries.end + blocks.key_block - 1) / blocks.key_block;
}

}  // namespace anneal::cpu
