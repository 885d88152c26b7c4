#pragma once
// Which element types the processor ops compute on: F32 and BF16, always in FP32 inside.

#include "kernels/core/tensor.h"

namespace anneal::cpu {

// Calls body with a value of the element type.
template <class Body>
decltype(auto) dispatch_f32_bf16(DType dtype, Body&& body) {
  ensure(dtype == DType::kF32 || dtype == DType::kBF16,
         "the processor computes F32 and BF16; double is the reference's");
  if (dtype == DType::kF32) return body(float{});
  return body(BFloat16{});
}

inline float* f32(const Tensor& tensor) { return tensor.exists() ? tensor.as<float>() : nullptr; }

template <class T>
T* row_of(const Tensor& tensor, int64_t row) {
  return static_cast<T*>(tensor.data()) + row * tensor.stride();
}

}  // namespace anneal::cpu
