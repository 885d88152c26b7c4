#pragma once
// Root-mean-square norm, joined with the residual add before it.
//   s = x + pending                     (pending may be absent)
//   r = 1 / sqrt(mean(s^2) + epsilon)   over a row's columns
//   y = s · r · (weight + weight_offset)
// Zhang, Sennrich: "Root Mean Square Layer Normalization" (2019). Sums are at least FP32.
// Backward, with g = dy · (weight + offset) and n = columns:
//   dx_j (+)= r · (g_j − s_j · r² · Σ_k g_k s_k / n);   dweight_j = Σ_rows dy_j · s_j · r

#include "kernels/core/tensor.h"

namespace anneal {

struct RmsNorm {
  struct Forward {
    Tensor y;        // (rows, columns), activation type
    Tensor inv_rms;  // (rows), F32 (F64 in double): r
    Tensor sum;      // (rows, columns), residual type: s; may be x itself; none when there is no pending and s is x
    Tensor x;        // (rows, columns), residual type
    Tensor pending;  // (rows, columns), activation type, or none
    Tensor weight;   // (columns), F32 (F64 in double)
    double epsilon = 1e-5;
    double weight_offset = 0;
    double operations() const { return 0; }
  };
  struct Backward {
    Tensor dx;       // (rows, columns), residual type
    Tensor dweight;  // (columns), F32 (F64): the sum over these rows, overwritten; or none
    Tensor dy;       // (rows, columns), activation type
    Tensor x;        // (rows, columns), residual type: s of the forward
    Tensor inv_rms;  // (rows)
    Tensor weight;   // (columns)
    double weight_offset = 0;
    bool accumulate = true;  // add to dx rather than overwrite it
    double operations() const { return 0; }
  };
};

}  // namespace anneal
