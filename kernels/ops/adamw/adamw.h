#pragma once
// AdamW with decoupled decay (Loshchilov, Hutter, 2019), in PyTorch's order of operations, FP32 (F64 in double):
//   g = gradient_scale · gradient;  p −= learning_rate · weight_decay · p
//   m = β1 m + (1 − β1) g;  v = β2 v + (1 − β2) g²
//   p −= learning_rate / (1 − β1^t) · m / (sqrt(v) / sqrt(1 − β2^t) + epsilon)
// `copy`, where given, receives p rounded to its type: the weight that the products read.

#include "kernels/core/tensor.h"

namespace anneal {

struct AdamW {
  struct Update {
    Tensor parameter;      // (n), F32 (F64)
    Tensor gradient;       // (n), the same
    Tensor first_moment;   // (n), the same
    Tensor second_moment;  // (n), the same
    Tensor copy;           // (n), BF16 or F32 (then rounded to BF16 values), or none
    double learning_rate = 0, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8, weight_decay = 0;
    double gradient_scale = 1;  // clipping
    int64_t step = 1;           // t, from 1
    double operations() const { return 0; }
  };
};

}  // namespace anneal
