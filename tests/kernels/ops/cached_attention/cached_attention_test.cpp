#include "kernels/ops/cached_attention/cached_attention.h"

#include <gtest/gtest.h>

#include "kernels/reference/reference.h"
#include "tests/kernels/ops/attention/attention_batch.h"

namespace anneal {
namespace {

// Keys and values of one packed document, copied out as a cache of `capacity` rows; rows not filled yet hold NaN.
struct Cache {
  OwnedTensor keys, values;
  Cache(const AttentionBatch& batch, int64_t capacity) {
    const int64_t width = batch.shape.kv_heads * batch.shape.head_size,
                  queries = batch.shape.heads * batch.shape.head_size;
    const std::vector<double> qkv = batch.qkv.values();
    std::vector<double> key(static_cast<std::size_t>(capacity * width), std::nan("")), value = key;
    for (int64_t row = 0; row < batch.tokens(); ++row) {
      for (int64_t column = 0; column < width; ++column) {
        const int64_t from = row * batch.row() + queries + column;
        key[static_cast<std::size_t>(row * width + column)] = qkv[static_cast<std::size_t>(from)];
        value[static_cast<std::size_t>(row * width + column)] = qkv[static_cast<std::size_t>(from + width)];
      }
    }
    keys = OwnedTensor(batch.qkv.view().dtype(), {capacity, width});
    values = OwnedTensor(batch.qkv.view().dtype(), {capacity, width});
    keys.assign(key);
    values.assign(value);
  }
};

const AttentionShape kShape{.heads = 4, .kv_heads = 2, .head_size = 6, .scale = 0.4, .window = 5, .soft_cap = 3};

TEST(CachedAttentionReference, EqualsAttentionOverTheWholeDocument) {
  AttentionBatch batch(kShape, {9}, DType::kF64);
  reference::run(batch.forward());
  const Cache cache(batch, 12);
  OwnedTensor out(DType::kF64, {9, 24});
  for (const auto& [begin, end] : {std::pair<int64_t, int64_t>{0, 5}, {5, 6}, {6, 9}}) {
    reference::run(CachedAttention::Forward{.out = out.view().slice_rows(begin, end),
                                            .query = batch.qkv.view().slice_columns(0, 24).slice_rows(begin, end),
                                            .keys = cache.keys.view(),
                                            .values = cache.values.view(),
                                            .first_position = begin,
                                            .shape = kShape});
  }
  EXPECT_EQ(out.bytes(), batch.out.bytes());
}

}  // namespace
}  // namespace anneal
