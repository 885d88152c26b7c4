#pragma once
// result += Σ x², in double, the same bits for every thread count: sums of 4096 elements each, added in order.
// A value that is not finite makes the result so.

#include "kernels/core/tensor.h"

namespace anneal {

struct SquaredNorm {
  struct Forward {
    Tensor result;  // (1), F64; added to
    Tensor x;       // any contiguous tensor, F32 (F64)
    double operations() const { return 0; }
  };
};

}  // namespace anneal
