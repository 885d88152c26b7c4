#pragma once
// The part of a GGUF file before the tensors: keys with their values, then each tensor's name, type, shape and place.
// Nothing is believed: every count and length is held against the bytes that are left before anything is made of it.

#include <string>
#include <string_view>
#include <vector>

#include "engine/files/tensor_entry.h"
#include "kernels/core/json.h"

namespace anneal::engine {

struct GgufHeader {
  struct Tensor {
    TensorEntry entry;  // `data` is not set yet
    int64_t begin = 0;  // from the start of the tensors' bytes
  };
  Json metadata = Json::object();
  std::vector<Tensor> tensors;  // by place
  int64_t data_begin = 0;       // of the tensors' bytes, from the file's start
};

// `bytes` is the whole file, `where` its path as shown. Throws Error(kInput). That the tensors lie within the file,
// apart from each other and aligned is checked too.
GgufHeader parse_gguf_header(std::string_view bytes, const std::string& where);

}  // namespace anneal::engine
