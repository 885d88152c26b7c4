#pragma once
// y = f(gate) · up, with gate and up side by side in one tensor.
//   SwiGLU: f(x) = x / (1 + exp(−x));  GeGLU: f(x) = x/2 · (1 + tanh(sqrt(2/π) (x + 0.044715 x³)))
// Shazeer: "GLU Variants Improve Transformer" (2020).
// Backward: dgate = dy · up · f'(gate), dup = dy · f(gate).

#include "kernels/core/tensor.h"

namespace anneal {

enum class Activation : uint8_t { kSilu, kGeluTanh };

struct GatedActivation {
  struct Forward {
    Tensor y;        // (rows, width), activation type
    Tensor gate_up;  // (rows, 2 · width): gate columns first
    Activation activation = Activation::kSilu;
    double operations() const { return 0; }
  };
  struct Backward {
    Tensor dgate_up;  // (rows, 2 · width); may be gate_up itself
    Tensor dy;        // (rows, width)
    Tensor gate_up;   // of the forward
    Activation activation = Activation::kSilu;
    double operations() const { return 0; }
  };
};

}  // namespace anneal
