#pragma once
#include "kernels/backend.h"

namespace anneal::engine {

// Operations per second that this backend's products reach on large FP32 matrices now, on all workers: what a step's
// rate is compared with. Takes about a tenth of a second.
double measure_product_rate(Backend& backend);

// Operations of one step by the field's convention: 6 (full) or 4 (frozen base) per weight of a product and token, 6
// per adapter weight, 6 · layers · heads · head size · length per token for causal attention; recomputation does not
// count.
struct StepWork {
  double per_token = 0;        // of the blocks' products
  double per_label_token = 0;  // of the head
  double per_squared_length = 0;
  double operations(double tokens, double label_tokens, double squared_lengths) const {
    return per_token * tokens + per_label_token * label_tokens + per_squared_length * squared_lengths;
  }
};

}  // namespace anneal::engine
