#pragma once
// The header of a safetensors file, as a pure function of its text, so that every refusal can be tested and fuzzed
// without a file. Format: 8 bytes N (little endian), N bytes of JSON, then the tensors' bytes without gap or overlap.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/core/dtype.h"

namespace anneal::engine {

constexpr int64_t kLongestSafetensorsHeader = 100'000'000;

struct SafetensorsHeader {
  struct Tensor {
    std::string name;
    DType dtype = DType::kF32;
    std::vector<int64_t> shape;
    int64_t begin = 0;  // relative to the end of the header
    int64_t end = 0;
  };
  std::vector<Tensor> tensors;  // by place in the file
  std::map<std::string, std::string> metadata;
  int64_t data_bytes = 0;  // what the tensors need in all
};

// Checks everything that the header alone can tell: kinds, element types, shapes against places, overlaps, gaps, keys
// given twice. `where` is the file's name in the sentence of Error(kInput).
SafetensorsHeader parse_safetensors_header(std::string_view text, std::string_view where);

}  // namespace anneal::engine
