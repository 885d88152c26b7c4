#pragma once
// One product of matrices on the calling thread, in FP32 over values of F32 or BF16, with the right side packed into
// panels block by block. An element's bits depend on its row of a and its column of b alone, not on how many others are
// computed beside it, nor on strides: sums run over blocks of the inner dimension whose length its size decides, each
// in ascending order.

#include "kernels/core/tensor.h"

namespace anneal::cpu {

// c = [c +] alpha · a b; a is (rows, inner), or (inner, rows) when transposed; b (inner, columns) or (columns, inner).
struct Product {
  Tensor c;  // F32, any stride
  Tensor a, b;
  bool is_a_transposed = false;
  bool is_b_transposed = false;
  float alpha = 1;
  bool accumulate = false;
  int64_t inner() const { return is_a_transposed ? a.rows() : a.columns(); }
};

// Rows of c in one call, at most: what of a goes with them stays in the second-level cache.
constexpr int64_t kProductRows = 256;

int64_t product_scratch_bytes(int64_t rows, int64_t inner);
void multiply(const Product& product, std::byte* scratch);

}  // namespace anneal::cpu
