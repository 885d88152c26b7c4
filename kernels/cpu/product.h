#pragma once
// One product of FP32 matrices on the calling thread: oneDNN's, which reached 85 to 95 % of an AVX2 core's peak at
// every shape of a model, the adapters' thin ones included. Safe to call from several threads at once.

#include <cstdint>

namespace anneal::cpu {

// A matrix as it lies in memory: rows `stride` elements apart, read as it is or transposed.
struct Operand {
  const float* data = nullptr;
  int64_t stride = 0;
  bool is_transposed = false;
};

// c = [c +] alpha · a b, with a (rows, inner), b (inner, columns) and c (rows, columns) after transposing.
struct Product {
  Operand a, b;
  float* c = nullptr;
  int64_t c_stride = 0;
  int64_t rows = 0, columns = 0, inner = 0;
  float alpha = 1;
  bool accumulate = false;
};
void multiply(const Product& product);

}  // namespace anneal::cpu
