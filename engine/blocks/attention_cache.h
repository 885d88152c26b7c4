#pragma once
// Keys and values of one sequence, for generating text: what attention has seen so far.

#include <vector>

#include "kernels/core/arena.h"

namespace anneal::engine {

class KeyValueCache {
 public:
  KeyValueCache(Arena& arena, int64_t layers, int64_t capacity, int64_t columns, DType type) : capacity_(capacity) {
    for (int64_t layer = 0; layer < layers; ++layer) {
      keys_.push_back(arena.take("key/value cache", type, {capacity, columns}));
      values_.push_back(arena.take("key/value cache", type, {capacity, columns}));
    }
  }
  int64_t capacity() const { return capacity_; }
  int64_t length = 0;  // positions filled before the current pass
  const Tensor& keys(int64_t layer) const { return keys_[static_cast<std::size_t>(layer)]; }
  const Tensor& values(int64_t layer) const { return values_[static_cast<std::size_t>(layer)]; }

 private:
  int64_t capacity_;
  std::vector<Tensor> keys_, values_;
};

}  // namespace anneal::engine
