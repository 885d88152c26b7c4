#pragma once
// Quantised storage: weights in blocks, each with its own scale. The layouts are those of GGUF files; all numbers in
// them are little endian.

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace anneal::engine {

// One kind of block. There is one object of each kind, so kinds are compared by address.
struct BlockType {
  std::string_view name;                              // "Q4_K"
  int64_t elements;                                   // in a block
  int64_t bytes;                                      // of a block
  void (*unpack)(const std::byte* block, float* to);  // writes `elements` numbers
};

// Null for a name that is not read here. Known are Q4_0 Q4_1 Q5_0 Q5_1 Q8_0 Q4_K Q5_K Q6_K.
const BlockType* block_type_named(std::string_view name);

}  // namespace anneal::engine
