#pragma once
// Tensors for tests of ops: memory of their own, seeded random values.

#include <cstddef>
#include <initializer_list>
#include <vector>

#include "kernels/core/philox.h"
#include "kernels/core/tensor.h"
#include "kernels/reference/elements.h"

namespace anneal {

class OwnedTensor {
 public:
  OwnedTensor() = default;
  OwnedTensor(DType dtype, std::initializer_list<int64_t> sizes) : view_(nullptr, dtype, sizes) {
    memory_.resize(static_cast<std::size_t>(view_.bytes()));
    view_ = Tensor(memory_.data(), dtype, sizes);
  }
  OwnedTensor(OwnedTensor&&) = default;  // the memory stays where it is
  OwnedTensor& operator=(OwnedTensor&&) = default;

  const Tensor& view() const { return view_; }
  std::vector<double> values() const { return reference::all_of(view_); }
  const std::vector<std::byte>& bytes() const { return memory_; }  // for "bit-identical"
  void assign(const std::vector<double>& values) { reference::put_all(view_, values); }

 private:
  std::vector<std::byte> memory_;
  Tensor view_;
};

inline std::vector<double> normal_values(int64_t count, uint64_t seed, double deviation = 1) {
  RandomStream random(seed, RandomUse::kModelInit);
  std::vector<double> values(static_cast<std::size_t>(count));
  for (double& value : values) value = deviation * random.next_normal();
  return values;
}

inline OwnedTensor normal_tensor(DType dtype, std::initializer_list<int64_t> sizes, uint64_t seed,
                                 double deviation = 1) {
  OwnedTensor tensor(dtype, sizes);
  tensor.assign(normal_values(tensor.view().elements(), seed, deviation));
  return tensor;
}

}  // namespace anneal
