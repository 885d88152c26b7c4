#pragma once
// One block of memory for everything a run needs, cut once, in order, by label. The dry run cuts an arena that has no
// memory behind it: the sums it leaves are the plan, and the real arena must come out the same to the byte.

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/core/tensor.h"

namespace anneal {

// The only owner of raw memory: page-aligned, zeroed, move-only. Large ones ask for huge pages.
class Buffer {
 public:
  Buffer() = default;
  explicit Buffer(int64_t bytes);  // throws Error(kDevice) with the size when the system has none
  ~Buffer();
  Buffer(Buffer&& other) noexcept;
  Buffer& operator=(Buffer&& other) noexcept;
  std::byte* data() const { return data_; }
  int64_t bytes() const { return bytes_; }

 private:
  std::byte* data_ = nullptr;
  int64_t bytes_ = 0;
};

using BytesByLabel = std::map<std::string, int64_t>;

class Arena {
 public:
  static constexpr int64_t kAlignment = 64;  // a cache line, and AVX-512's width

  Arena() = default;  // dry: counts, hands out tensors without memory
  explicit Arena(int64_t capacity) : buffer_(capacity), is_dry_(false) {}

  bool is_dry() const { return is_dry_; }
  // Cuts a tensor; `label` names it in the plan ("weights", "activations", …). Throws InternalError past the capacity:
  // the plan was wrong.
  Tensor take(std::string_view label, DType dtype, std::initializer_list<int64_t> sizes);
  int64_t used() const { return used_; }
  int64_t capacity() const { return buffer_.bytes(); }
  const BytesByLabel& by_label() const { return by_label_; }

 private:
  Buffer buffer_;
  bool is_dry_ = true;
  int64_t used_ = 0;
  BytesByLabel by_label_;
};

}  // namespace anneal
