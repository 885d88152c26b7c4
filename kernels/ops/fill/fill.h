#pragma once
// Every element of x becomes zero.

#include "kernels/core/tensor.h"

namespace anneal {

struct Fill {
  struct Forward {
    Tensor x;  // contiguous, any type
    double operations() const { return 0; }
  };
};

}  // namespace anneal
