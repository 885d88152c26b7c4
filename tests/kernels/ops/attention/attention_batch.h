#pragma once
// One batch of packed documents and what attention makes of it, for tests.

#include <vector>

#include "kernels/ops/attention/attention.h"
#include "tests/kernels/ops/owned_tensor.h"

namespace anneal {

struct AttentionBatch {
  AttentionShape shape;
  std::vector<int32_t> bounds;
  int64_t max_length = 0;
  OwnedTensor qkv, dout;       // in
  OwnedTensor out, lse, dqkv;  // made by the ops

  AttentionBatch(const AttentionShape& wanted, const std::vector<int32_t>& lengths, DType dtype, uint64_t seed = 1)
      : shape(wanted), bounds{0} {
    for (const int32_t length : lengths) {
      bounds.push_back(bounds.back() + length);
      max_length = std::max<int64_t>(max_length, length);
    }
    const int64_t tokens = bounds.back();
    qkv = normal_tensor(dtype, {tokens, row()}, seed);
    dout = normal_tensor(dtype, {tokens, shape.heads * shape.head_size}, seed + 1);
    out = OwnedTensor(dtype, {tokens, shape.heads * shape.head_size});
    lse = OwnedTensor(dtype == DType::kF64 ? DType::kF64 : DType::kF32, {tokens, shape.heads});
    dqkv = OwnedTensor(dtype, {tokens, row()});
  }

  int64_t row() const { return (shape.heads + 2 * shape.kv_heads) * shape.head_size; }
  int64_t tokens() const { return bounds.back(); }
  Attention::Forward forward() const {
    return {.out = out.view(),
            .lse = lse.view(),
            .qkv = qkv.view(),
            .bounds = bounds,
            .max_length = max_length,
            .shape = shape};
  }
  Attention::Backward backward() const {
    return {.dqkv = dqkv.view(),
            .dout = dout.view(),
            .out = out.view(),
            .lse = lse.view(),
            .qkv = qkv.view(),
            .bounds = bounds,
            .max_length = max_length,
            .shape = shape};
  }
};

}  // namespace anneal
