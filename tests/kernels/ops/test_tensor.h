#pragma once
// A tensor that owns its memory, for tests of ops. Rows may lie apart: the gaps hold a mark, and gaps_are_untouched()
// tells whether an op wrote outside its rows.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "kernels/core/arena.h"
#include "kernels/core/philox.h"
#include "kernels/core/tensor.h"
#include "kernels/reference/elements.h"

namespace anneal::tests {

class TestTensor {
 public:
  TestTensor() = default;  // none
  // A matrix; `gap` elements lie between one row's end and the next row's begin.
  TestTensor(DType dtype, int64_t rows, int64_t columns, int64_t gap = 0)
      : memory_(static_cast<std::size_t>(rows * (columns + gap) * size_of(dtype)), kMark),
        view_(Tensor(memory_.data(), dtype, {rows, columns + gap}).slice_columns(0, columns)) {
    zero();
  }
  // A vector.
  TestTensor(DType dtype, int64_t elements)
      : memory_(static_cast<std::size_t>(elements * size_of(dtype))), view_(memory_.data(), dtype, {elements}) {}

  TestTensor(const TestTensor& other) : memory_(other.memory_), view_(other.view_) { rebase(other); }
  TestTensor& operator=(const TestTensor& other) {
    memory_ = other.memory_;
    view_ = other.view_;
    rebase(other);
    return *this;
  }

  const Tensor& view() const { return view_; }
  operator Tensor() const { return view_; }  // NOLINT: stands for a tensor in an op's arguments

  double at(int64_t row, int64_t column = 0) const { return reference::get(view_, row, column); }
  void set(int64_t row, int64_t column, double value) { reference::put(view_, row, column, value); }

  void zero() {
    for_each([&](int64_t row, int64_t column) { std::memset(element(row, column), 0, element_size()); });
  }
  // Uniform in [center - spread, center + spread], drawn from `seed`.
  TestTensor& randomize(uint64_t seed, double spread = 1.0, double center = 0.0) {
    RandomStream random(seed, RandomUse::kModelInit);
    for_each(
        [&](int64_t row, int64_t column) { set(row, column, center + spread * (2.0 * random.next_uniform() - 1.0)); });
    return *this;
  }

  bool gaps_are_untouched() const {
    const auto row_bytes = static_cast<std::size_t>(view_.columns()) * element_size();
    const auto stride_bytes = static_cast<std::size_t>(view_.stride()) * element_size();
    for (std::size_t i = 0; i < memory_.size(); ++i) {
      if (i % stride_bytes >= row_bytes && memory_[i] != kMark) return false;
    }
    return true;
  }
  // Every bit of every row.
  bool has_bits_of(const TestTensor& other) const {
    return view_.rows() == other.view_.rows() && has_rows_of(other, view_.rows());
  }
  // Every bit of the first `rows` rows.
  bool has_rows_of(const TestTensor& other, int64_t rows) const {
    bool same = view_.columns() == other.view_.columns();
    for (int64_t row = 0; same && row < rows; ++row) {
      same = std::memcmp(element(row, 0), other.element(row, 0),
                         static_cast<std::size_t>(view_.columns()) * element_size()) == 0;
    }
    return same;
  }

 private:
  static constexpr std::byte kMark{0xA5};

  std::size_t element_size() const { return static_cast<std::size_t>(size_of(view_.dtype())); }
  std::byte* element(int64_t row, int64_t column) const {
    return static_cast<std::byte*>(view_.data()) +
           static_cast<std::size_t>(row * view_.stride() + column) * element_size();
  }
  template <class Body>
  void for_each(Body body) const {
    for (int64_t row = 0; row < view_.rows(); ++row) {
      for (int64_t column = 0; column < view_.columns(); ++column) body(row, column);
    }
  }
  // A copied view must look at the copied memory.
  void rebase(const TestTensor& other) {
    if (!view_.exists()) return;
    const DType dtype = view_.dtype();
    if (other.view_.rank() == 1) {
      view_ = Tensor(memory_.data(), dtype, {other.view_.rows()});
    } else {
      view_ = Tensor(memory_.data(), dtype, {other.view_.rows(), other.view_.stride()})
                  .slice_columns(0, other.view_.columns());
    }
  }

  std::vector<std::byte> memory_;
  Tensor view_;
};

// A vector of whole numbers: ids, positions, places.
template <class T>
TestTensor whole_numbers(const std::vector<T>& values) {
  TestTensor tensor(DTypeOf<T>::value, static_cast<int64_t>(values.size()));
  if (!values.empty()) std::memcpy(tensor.view().data(), values.data(), values.size() * sizeof(T));
  return tensor;
}

}  // namespace anneal::tests
