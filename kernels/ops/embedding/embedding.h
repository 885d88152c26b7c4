#pragma once
// Rows of a table by token id.
//   y_i = scale · table[ids_i];   dtable[ids_i] += scale · dy_i, in the order of i for each id (deterministic)

#include "kernels/core/tensor.h"

namespace anneal {

struct Embedding {
  struct Forward {
    Tensor y;      // (rows, width), residual type
    Tensor table;  // (vocabulary, width), F32, BF16 or F64
    Tensor ids;    // (rows), I32, each in [0, vocabulary)
    double scale = 1;
    double operations() const { return 0; }
  };
  struct Backward {
    Tensor dtable;  // (vocabulary, width), F32 (F64); added to
    Tensor dy;      // (rows, width), residual type
    Tensor ids;     // (rows), I32
    double scale = 1;
    double operations() const { return 0; }
  };
};

}  // namespace anneal
