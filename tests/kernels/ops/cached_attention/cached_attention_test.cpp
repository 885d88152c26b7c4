#include "kernels/ops/cached_attention/cached_attention.h"

#include <gtest/gtest.h>

#include "kernels/reference/reference.h"
#include "tests/kernels/ops/attention/attention_batch.h"
#include "tests/kernels/ops/cpu_comparison.h"

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

// Runs rows [begin, end) of the batch's document against a cache of it.
template <class Run>
void run_rows(const AttentionBatch& batch, const Cache& cache, const Tensor& out, int64_t begin, int64_t end, Run run) {
  const int64_t width = batch.shape.heads * batch.shape.head_size;
  run(CachedAttention::Forward{.out = out.slice_rows(begin, end),
                               .query = batch.qkv.view().slice_columns(0, width).slice_rows(begin, end),
                               .keys = cache.keys,
                               .values = cache.values,
                               .first_position = begin,
                               .shape = batch.shape});
}

TEST(CachedAttentionReference, EqualsAttentionOverTheWholeDocument) {
  const AttentionShape shape{.heads = 4, .kv_heads = 2, .head_size = 6, .scale = 0.4, .window = 5, .soft_cap = 3};
  AttentionBatch batch(shape, {9}, DType::kF64);
  reference::run(batch.forward());
  const Cache cache(batch, 12);
  const TestTensor out(DType::kF64, 9, 24);
  const auto run = [](const CachedAttention::Forward& args) { reference::run(args); };
  run_rows(batch, cache, out, 0, 5, run);
  run_rows(batch, cache, out, 5, 6, run);
  run_rows(batch, cache, out, 6, 9, run);
  EXPECT_TRUE(out.has_bits_of(batch.out));
}

// A prompt of `prompt` tokens at once, then token by token.
void expect_like_reference(const AttentionShape& shape, int64_t tokens, int64_t prompt, DType dtype) {
  const AttentionBatch batch(shape, {static_cast<int32_t>(tokens)}, dtype);
  const Cache cache(batch, tokens + 7);
  const int64_t width = shape.heads * shape.head_size;
  const TestTensor expected(dtype, tokens, width);
  run_rows(batch, cache, expected, 0, tokens, [](const CachedAttention::Forward& args) { reference::run(args); });
  std::vector<TestTensor> outputs;
  for (const int threads : {1, 3}) {
    const auto run = [&](const CachedAttention::Forward& args) { run_on_cpu(args, threads); };
    outputs.emplace_back(dtype, tokens, width);
    run_rows(batch, cache, outputs.back(), 0, prompt, run);
    for (int64_t token = prompt; token < tokens; ++token) {
      run_rows(batch, cache, outputs.back(), token, token + 1, run);
    }
  }
  expect_close(outputs[0], expected);
  EXPECT_TRUE(outputs[1].has_bits_of(outputs[0]));
}

TEST(CachedAttentionCpu, MatchesReferenceForPromptsAndSingleTokens) {
  for (const DType dtype : {DType::kF32, DType::kBF16}) {
    expect_like_reference({.heads = 9, .kv_heads = 3, .head_size = 64, .scale = 0.125}, 300, 290, dtype);
    expect_like_reference({.heads = 16, .kv_heads = 1, .head_size = 20, .scale = 0.2}, 150, 140, dtype);
    expect_like_reference({.heads = 2, .kv_heads = 2, .head_size = 9, .scale = 0.3, .window = 20, .soft_cap = 2}, 270,
                          259, dtype);
  }
}

}  // namespace
}  // namespace anneal::tests
