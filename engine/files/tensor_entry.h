#pragma once
// One tensor of a weight file: where its bytes lie in the mapped file and what they mean. Views; the file's owner must
// live longer. Row-major, little endian, and not necessarily aligned to the element's size.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/files/block_type.h"
#include "kernels/core/dtype.h"

namespace anneal::engine {

struct TensorEntry {
  std::string name;
  DType dtype = DType::kF32;   // of a quantised tensor: F32, what it is read as
  std::vector<int64_t> shape;  // empty: a single number
  const std::byte* data = nullptr;
  int64_t bytes = 0;
  const BlockType* block_type = nullptr;  // of a quantised tensor; blocks do not cross rows
  // Of query and key projections in some GGUF files, else 0: the number of heads along the first axis in which
  // neighbours 2i and 2i+1 turn together. They are read as halves: place s·d/2 + i of a head comes from 2i + s.
  int64_t interleaved_heads = 0;

  int64_t elements() const {
    return block_type == nullptr ? bytes / size_of(dtype) : bytes / block_type->bytes * block_type->elements;
  }
};

std::string shape_text(const std::vector<int64_t>& shape);  // "[2, 3]"

// Converts F32, F64, F16 or BF16 to any of these; rounds to nearest even, by way of float32 (so F64 to F16 or BF16
// rounds twice, as torch does). Blocks are unpacked first, and interleaved heads are put in halves. `out` holds
// elements() of `target`. Throws Error(kInput) for other element types.
void read_as(const TensorEntry& entry, DType target, void* out);

// The place of the first infinity or NaN among floating-point elements; empty if all are finite or of a whole type.
std::optional<int64_t> first_non_finite(const void* data, DType dtype, int64_t elements);

}  // namespace anneal::engine
