#pragma once
// Attention of new tokens of one sequence over its key/value cache, for generating text. No gradient.
// Query row i stands at position first_position + i and sees cached positions up to its own (and the window's).
// The new tokens' keys and values stand in the cache already. Formula and numbers as in Attention.

#include "kernels/core/tensor.h"
#include "kernels/ops/attention/attention.h"

namespace anneal {

struct CachedAttention {
  struct Forward {
    Tensor out;     // (rows, heads · head_size), activation type
    Tensor query;   // (rows, heads · head_size), any stride
    Tensor keys;    // (capacity, kv_heads · head_size), activation type
    Tensor values;  // the same
    int64_t first_position = 0;
    AttentionShape shape;
    double operations() const {
      return 4.0 * double(shape.heads * shape.head_size) * double(query.rows()) * double(first_position + query.rows());
    }
  };
};

}  // namespace anneal
