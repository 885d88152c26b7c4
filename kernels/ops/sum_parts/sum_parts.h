#pragma once
// out_j (+)= parts_0j + parts_1j + …, in this order: gradients that were summed part by part.

#include "kernels/core/tensor.h"

namespace anneal {

struct SumParts {
  struct Forward {
    Tensor out;    // (n), F32 (F64)
    Tensor parts;  // (count, n), the same; any stride
    bool accumulate = true;
    double operations() const { return 0; }
  };
};

}  // namespace anneal
