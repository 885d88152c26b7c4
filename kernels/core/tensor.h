#pragma once
// A tensor is a view: it owns nothing and is copied freely. Memory belongs to a Buffer or an Arena.
// On the dry backend `data` is null and only sizes count.

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>

#include "kernels/core/dtype.h"
#include "kernels/core/error.h"

namespace anneal {

// Up to four dimensions, row-major. Only the first dimension may have a stride larger than its row, so that a block of
// columns of a matrix is a tensor too.
class Tensor {
 public:
  static constexpr int kMaxRank = 4;

  Tensor() = default;
  Tensor(void* data, DType dtype, std::initializer_list<int64_t> sizes) : data_(data), dtype_(dtype) {
    ensure(sizes.size() <= kMaxRank, "a tensor has at most four dimensions");
    for (const int64_t size : sizes) sizes_[static_cast<std::size_t>(rank_++)] = size;
    stride_ = row_size();
  }

  bool exists() const { return rank_ > 0; }  // a default-made tensor means "none"
  void* data() const { return data_; }
  template <class T>
  T* as() const {
    ensure(DTypeOf<T>::value == dtype_, "tensor read as another element type than it holds");
    return static_cast<T*>(data_);
  }
  DType dtype() const { return dtype_; }
  int rank() const { return rank_; }
  int64_t size(int dimension) const { return sizes_[static_cast<std::size_t>(dimension)]; }
  int64_t rows() const { return rank_ > 0 ? sizes_[0] : 0; }
  int64_t columns() const { return rank_ == 2 ? sizes_[1] : row_size(); }
  int64_t stride() const { return stride_; }  // elements from one row to the next
  bool is_contiguous() const { return rank_ <= 1 || rows() <= 1 || stride_ == row_size(); }
  int64_t elements() const { return rank_ == 0 ? 0 : rows() * row_size(); }
  int64_t bytes() const { return elements() * size_of(dtype_); }  // without the gaps of a strided view

  // Rows [begin, end).
  Tensor slice_rows(int64_t begin, int64_t end) const {
    ensure(begin >= 0 && begin <= end && end <= rows(), "row slice outside the tensor");
    Tensor part = *this;
    part.sizes_[0] = end - begin;
    part.data_ = offset(begin * stride_);
    return part;
  }
  // Columns [begin, end) of a matrix.
  Tensor slice_columns(int64_t begin, int64_t end) const {
    ensure(rank_ == 2 && begin >= 0 && begin <= end && end <= sizes_[1], "column slice outside the matrix");
    Tensor part = *this;
    part.sizes_[1] = end - begin;
    part.data_ = offset(begin);
    return part;
  }
  // The same elements under other sizes; contiguous tensors only.
  Tensor reshape(std::initializer_list<int64_t> sizes) const {
    Tensor shaped(data_, dtype_, sizes);
    ensure(is_contiguous() && shaped.elements() == elements(), "reshape changes the number of elements");
    return shaped;
  }

 private:
  int64_t row_size() const {
    int64_t size = 1;
    for (int i = 1; i < rank_; ++i) size *= sizes_[static_cast<std::size_t>(i)];
    return size;
  }
  void* offset(int64_t elements) const {
    return data_ == nullptr ? nullptr : static_cast<std::byte*>(data_) + elements * size_of(dtype_);
  }

  void* data_ = nullptr;
  DType dtype_ = DType::kF32;
  int rank_ = 0;
  std::array<int64_t, kMaxRank> sizes_{};
  int64_t stride_ = 0;
};

// Calls `body` with a value of the C++ type of a floating dtype: dispatch_floating(x.dtype(), [&](auto zero) {
// using T = decltype(zero); … }).
template <class Body>
decltype(auto) dispatch_floating(DType dtype, Body&& body) {
  switch (dtype) {
    case DType::kF32:
      return body(float{});
    case DType::kF64:
      return body(double{});
    case DType::kBF16:
      return body(BFloat16{});
    case DType::kF16:
      return body(Float16{});
    default:
      throw InternalError("internal fault: element type is not a float");
  }
}

}  // namespace anneal
