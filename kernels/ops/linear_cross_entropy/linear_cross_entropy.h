#pragma once
// Output head and cross-entropy in one: full logits never exist.
//   z = logit_scale · hidden Wᵀ, z = soft_cap · tanh(z / soft_cap) if soft_cap > 0
//   row_loss_i = log Σ_v exp(z_iv) − z_i,target   (0 for rows without a target)
//   d loss / d z_iv = row_weight_i · (softmax(z_i)_v − [v = target_i]) · cap'
// Rows without a target (−100) are left out of the products. Worked in chunks of as many labelled rows as `logits` has;
// the gradient is written over the logits. A whole-team op.

#include "kernels/core/tensor.h"
#include "kernels/ops/linear/linear.h"

namespace anneal {

constexpr int32_t kNoTarget = -100;

struct LinearCrossEntropy {
  struct Forward {
    Tensor row_loss;  // (rows), F32 (F64)
    Tensor hidden;    // (rows, width), activation type
    LinearWeight weight;
    Tensor targets;   // (rows), I32, kNoTarget for none
    Tensor logits;    // scratch (chunk, vocabulary), F32 (F64)
    Tensor gathered;  // scratch (chunk, width), activation type
    double logit_scale = 1;
    double soft_cap = 0;
    double operations() const { return 2.0 * double(hidden.rows()) * double(weight.outputs) * double(weight.inputs); }
  };
  struct ForwardBackward {
    Tensor row_loss;    // (rows), F32 (F64)
    Tensor dhidden;     // (rows, width), activation type; overwritten, zero for rows without a target; may be `hidden`
    Tensor dweight;     // (vocabulary, width), F32 (F64), added to; or none
    Tensor hidden;      // (rows, width)
    LinearWeight weight;
    Tensor targets;     // (rows), I32
    Tensor row_weight;  // (rows), F32 (F64): d loss / d row_loss
    Tensor logits;      // scratch (chunk, vocabulary), F32 (F64)
    Tensor gathered;    // scratch (chunk, width), activation type
    Tensor dgathered;   // scratch (chunk, width), activation type
    double logit_scale = 1;
    double soft_cap = 0;
    double operations() const {
      return (dweight.exists() ? 6.0 : 4.0) * double(hidden.rows()) * double(weight.outputs) * double(weight.inputs);
    }
  };
};

}  // namespace anneal
