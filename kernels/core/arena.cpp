#include "kernels/core/arena.h"

#include <sys/mman.h>

#include <utility>

namespace anneal {

Buffer::Buffer(int64_t bytes) : bytes_(bytes) {
  if (bytes == 0) return;
  void* memory =
      mmap(nullptr, static_cast<std::size_t>(bytes), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    throw device_error(
        "Not enough memory: the system refused {} bytes. Close other programs or set a smaller "
        "per_device_batch_size.",
        bytes);
  }
  data_ = static_cast<std::byte*>(memory);
  constexpr int64_t kHugePage = int64_t{2} << 20;
  if (bytes >= 8 * kHugePage) madvise(memory, static_cast<std::size_t>(bytes), MADV_HUGEPAGE);
}

Buffer::~Buffer() {
  if (data_ != nullptr) munmap(data_, static_cast<std::size_t>(bytes_));
}

Buffer::Buffer(Buffer&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}

Buffer& Buffer::operator=(Buffer&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

Tensor Arena::take(std::string_view label, DType dtype, std::initializer_list<int64_t> sizes) {
  Tensor shape(nullptr, dtype, sizes);
  const int64_t bytes = (shape.bytes() + kAlignment - 1) / kAlignment * kAlignment;
  std::byte* data = nullptr;
  if (!is_dry_) {
    ensure(used_ + bytes <= buffer_.bytes(), "the arena is smaller than what is taken from it");
    data = buffer_.data() + used_;
  }
  used_ += bytes;
  by_label_[std::string(label)] += bytes;
  return Tensor(data, dtype, sizes);
}

}  // namespace anneal
