#pragma once
// Rotary position embedding, half-split form, in place. For each head, i < r/2 with r rotary columns, at position p:
//   (x_i, x_{i+r/2}) <- (x_i cos − x_{i+r/2} sin, x_{i+r/2} cos + x_i sin),   cos, sin = tables[p][i]
// Columns past r are passed through. Su et al.: "RoFormer" (2021). Backward turns by the opposite angle.

#include "kernels/core/tensor.h"

namespace anneal {

struct Rope {
  struct Forward {
    Tensor x;          // (rows, heads · head_size), activation type, any stride; in place
    Tensor cosine;     // (positions, r/2), F32 (F64 in double)
    Tensor sine;       // the same
    Tensor positions;  // (rows), I32; every one below the tables' rows
    int64_t heads = 0;
    int64_t head_size = 0;
    double operations() const { return 0; }
  };
  struct Backward {
    Tensor dx;  // as x, in place
    Tensor cosine, sine, positions;
    int64_t heads = 0;
    int64_t head_size = 0;
    double operations() const { return 0; }
  };
};

}  // namespace anneal
