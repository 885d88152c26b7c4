#include "kernels/ops/cached_attention/cached_attention.h"

#include <gtest/gtest.h>

#include "kernels/reference/reference.h"
#include "tests/kernels/ops/attention/attention_batch.h"

namespace anneal::tests {
namespace {

// Keys and values of the one document of a batch, copied out as a cache; rows not filled yet hold NaN.
struct Cache {
  TestTensor keys, values;
  Cache(const AttentionBatch& batch, int64_t capacity) {
    const int64_t width = batch.shape.kv_heads * batch.shape.head_size;
    const int64_t queries = batch.shape.heads * batch.shape.head_size;
    keys = TestTensor(batch.qkv.view().dtype(), capacity, width);
    values = keys;
    for (int64_t row = 0; row < capacity; ++row) {
      for (int64_t column = 0; column < width; ++column) {
        const bool filled = row < batch.tokens();
        keys.set(row, column, filled ? batch.qkv.at(row, queries + column) : std::nan(""));
        values.set(row, column, filled ? batch.qkv.at(row, queries + width + column) : std::nan(""));
      }
    }
  }
};

TEST(CachedAttentionReference, EqualsAttentionOverTheWholeDocument) {
  const AttentionShape shape{.heads = 4, .kv_heads = 2, .head_size = 6, .scale = 0.4, .window = 5, .soft_cap = 3};
  AttentionBatch batch(shape, {9}, DType::kF64);
  reference::run(batch.forward());
  const Cache cache(batch, 12);
  const TestTensor out(DType::kF64, 9, 24);
  for (const auto& [begin, end] : {std::pair<int64_t, int64_t>{0, 5}, {5, 6}, {6, 9}}) {
    reference::run(CachedAttention::Forward{.out = out.view().slice_rows(begin, end),
                                            .query = batch.qkv.view().slice_columns(0, 24).slice_rows(begin, end),
                                            .keys = cache.keys,
                                            .values = cache.values,
                                            .first_position = begin,
                                            .shape = shape});
  }
  EXPECT_TRUE(out.has_bits_of(batch.out));
}

}  // namespace
}  // namespace anneal::tests
