#pragma once
// One batch of packed documents and what attention makes of it.

#include <algorithm>
#include <vector>

#include "kernels/ops/attention/attention.h"
#include "tests/kernels/ops/test_tensor.h"

namespace anneal::tests {

struct AttentionBatch {
  AttentionShape shape;
  std::vector<int32_t> bounds{0};
  int64_t max_length = 0;
  TestTensor qkv, dout;       // in
  TestTensor out, lse, dqkv;  // made by the ops

  AttentionBatch(const AttentionShape& wanted, const std::vector<int32_t>& lengths, DType dtype, uint64_t seed = 1)
      : shape(wanted) {
    for (const int32_t length : lengths) {
      bounds.push_back(bounds.back() + length);
      max_length = std::max<int64_t>(max_length, length);
    }
    qkv = TestTensor(dtype, tokens(), row()).randomize(seed, 2.0);
    dout = TestTensor(dtype, tokens(), shape.heads * shape.head_size).randomize(seed + 1);
    out = TestTensor(dtype, tokens(), shape.heads * shape.head_size);
    lse = TestTensor(dtype == DType::kF64 ? DType::kF64 : DType::kF32, tokens(), shape.heads);
    dqkv = TestTensor(dtype, tokens(), row());
  }

  int64_t row() const { return (shape.heads + 2 * shape.kv_heads) * shape.head_size; }
  int64_t tokens() const { return bounds.back(); }
  Attention::Forward forward() const {
    return {.out = out, .lse = lse, .qkv = qkv, .bounds = bounds, .max_length = max_length, .shape = shape};
  }
  Attention::Backward backward() const {
    return {.dqkv = dqkv,
            .dout = dout,
            .out = out,
            .lse = lse,
            .qkv = qkv,
            .bounds = bounds,
            .max_length = max_length,
            .shape = shape};
  }
};

}  // namespace anneal::tests
