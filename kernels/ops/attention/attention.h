#pragma once
// Causal attention over packed documents of any length; scores are never held as a whole.
// For query head h, its key/value head h · kv_heads / heads, within one document, keys j ≤ i (and i − j < window):
//   s_ij = cap(scale · q_i · k_j),  p_ij = exp(s_ij − lse_i),  out_i = Σ_j p_ij v_j,  lse_i = log Σ_j exp(s_ij)
//   cap(s) = soft_cap · tanh(s / soft_cap) if soft_cap > 0
// No document sees another: out of one document is bit-identical whatever the others hold.
// Backward (Dao et al., "FlashAttention", 2022):
//   δ_i = dout_i · out_i;  dv_j = Σ_i p_ij dout_i;  ds_ij = p_ij (dout_i · v_j − δ_i) cap'(s_ij) scale;
//   dq_i = Σ_j ds_ij k_j;  dk_j = Σ_i ds_ij q_i, each summed over the query heads that share it, in fixed order.
// A whole-team op: it splits the work over documents and heads itself, with the same bits for every thread count.

#include <span>

#include "kernels/core/tensor.h"

namespace anneal {

struct AttentionShape {
  int64_t heads = 0;
  int64_t kv_heads = 0;
  int64_t head_size = 0;
  double scale = 1;
  int64_t window = 0;   // 0: the whole document; w: the last w positions, the own one counted
  double soft_cap = 0;  // 0: none
};

struct Attention {
  struct Forward {
    Tensor out;                        // (tokens, heads · head_size), activation type
    Tensor lse;                        // (tokens, heads), F32 (F64)
    Tensor qkv;                        // (tokens, (heads + 2 kv_heads) · head_size): q heads, k heads, v heads
    std::span<const int32_t> bounds;   // first token of each document, then the number of tokens; on the host
    int64_t max_length = 0;            // of the longest document that may come (sizes scratch; bounds may be empty when dry)
    AttentionShape shape;
    double operations() const;
  };
  struct Backward {
    Tensor dqkv;  // as qkv; overwritten
    Tensor dout;  // as out
    Tensor out, lse, qkv;
    std::span<const int32_t> bounds;
    int64_t max_length = 0;
    AttentionShape shape;
    double operations() const;
  };
  // Score pairs that a causal document of this length computes.
  static double pairs(int64_t length, int64_t window) {
    const double n = double(length);
    if (window <= 0 || window >= length) return n * (n + 1) / 2;
    const double w = double(window);
    return w * (w + 1) / 2 + (n - w) * w;
  }
  static double pairs(std::span<const int32_t> bounds, int64_t tokens, int64_t max_length, int64_t window) {
    double sum = 0;
    for (std::size_t i = 0; i + 1 < bounds.size(); ++i) sum += pairs(bounds[i + 1] - bounds[i], window);
    // A dry run knows no documents: the forecast is for the longest ones.
    if (bounds.empty() && max_length > 0) sum = pairs(max_length, window) * double(tokens) / double(max_length);
    return sum;
  }
};

inline double Attention::Forward::operations() const {
  return 4.0 * double(shape.heads * shape.head_size) * pairs(bounds, qkv.rows(), max_length, shape.window);
}
inline double Attention::Backward::operations() const {
  return 10.0 * double(shape.heads * shape.head_size) * pairs(bounds, qkv.rows(), max_length, shape.window);
}

}  // namespace anneal
