#pragma once
// Which element types a run computes in.

#include <string_view>

#include "kernels/core/dtype.h"

namespace anneal::engine {

// Activations lie between ops in `activation`; the residual stream and its gradient in `residual`; trained weights,
// their gradients, moments, norms and losses in `master`.
struct ComputeTypes {
  std::string_view name = "fp32";
  DType activation = DType::kF32;
  DType residual = DType::kF32;
  DType master = DType::kF32;
  bool bf16_products = false;  // weights of products are rounded to BF16

  static constexpr ComputeTypes fp32() { return {}; }
  static constexpr ComputeTypes bf16() { return {"bf16", DType::kBF16, DType::kF32, DType::kF32, true}; }
  // On the reference backend only: for tests.
  static constexpr ComputeTypes fp64() { return {"fp64", DType::kF64, DType::kF64, DType::kF64, false}; }
};

}  // namespace anneal::engine
