#pragma once
// y = x · keep / (1 − probability), keep drawn by Philox from (key, a token's place, column): a replay in any order and
// any cut of the rows gives the same mask. The gradient is the same op on dy.
//   words = philox4x32({place low, place high, column / 4, 0}, key);  keep = word[column % 4] ≥ probability · 2^32

#include <array>

#include "kernels/core/tensor.h"

namespace anneal {

struct Dropout {
  struct Forward {
    Tensor y;       // (rows, columns), activation type; may be x
    Tensor x;       // (rows, columns), the same type
    Tensor places;  // (rows), I64: a token's place in the whole optimizer step
    double probability = 0;
    std::array<uint32_t, 2> key{};
    bool accumulate = false;  // y += …: dx of a branch beside another
    double operations() const { return 0; }
  };
};

}  // namespace anneal
