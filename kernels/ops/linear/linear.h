#pragma once
// Products with a weight of (outputs, inputs), as files hold it.
//   Forward         y  = [y +] alpha · x Wᵀ [+ bias]
//   BackwardInput   dx = [dx +] alpha · dy W
//   BackwardWeight  dW = [dW +] alpha · dyᵀ x,   dbias = [dbias +] Σ_rows dy
// Sums are FP32 or better; results are rounded once. Element types may be mixed (BF16 activations with an FP32 weight:
// the product is FP32 over the rounded values). Row-local but for BackwardWeight.

#include "kernels/core/tensor.h"

namespace anneal {

// A weight as the products want it. `plain` is always readable as (outputs, inputs); a backend may add packed forms of
// its own (Backend::weight_layout), which then win.
struct LinearWeight {
  Tensor plain;     // (outputs, inputs); F32, BF16 or F64; none where only packed forms are kept
  Tensor forward;   // U8 bytes in the backend's layout for Forward, or none
  Tensor backward;  // the same for BackwardInput
  int64_t outputs = 0;
  int64_t inputs = 0;
};

struct Linear {
  struct Forward {
    Tensor y;  // (rows, outputs); any stride
    Tensor x;  // (rows, inputs); any stride
    LinearWeight weight;
    Tensor bias;  // (outputs), F32 (F64), or none
    double alpha = 1;
    bool accumulate = false;
    double operations() const { return 2.0 * double(x.rows()) * double(weight.outputs) * double(weight.inputs); }
  };
  struct BackwardInput {
    Tensor dx;  // (rows, inputs); any stride
    Tensor dy;  // (rows, outputs); any stride
    LinearWeight weight;
    double alpha = 1;
    bool accumulate = false;
    double operations() const { return 2.0 * double(dy.rows()) * double(weight.outputs) * double(weight.inputs); }
  };
  struct BackwardWeight {
    Tensor dweight;  // (outputs, inputs), F32 (F64)
    Tensor dbias;    // (outputs), F32 (F64), or none
    Tensor dy;       // (rows, outputs); any stride
    Tensor x;        // (rows, inputs); any stride
    double alpha = 1;
    bool accumulate = true;
    double operations() const { return 2.0 * double(x.rows()) * double(dy.columns()) * double(x.columns()); }
  };
};

}  // namespace anneal
