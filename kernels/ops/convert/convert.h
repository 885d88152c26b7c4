#pragma once
// out = scale · in in out's element type, rounded to nearest even once. Row-local; any strides.

#include "kernels/core/tensor.h"

namespace anneal {

struct Convert {
  struct Forward {
    Tensor out;  // (rows, columns)
    Tensor in;   // (rows, columns)
    double scale = 1;
    // Round to BF16 values even where `out` is wider: how BF16 is computed on a processor without BF16 products.
    bool round_to_bf16 = false;
    double operations() const { return 0; }
  };
};

}  // namespace anneal
