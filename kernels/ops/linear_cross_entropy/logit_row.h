#pragma once
// One row of logits before the loss.

#include <cstddef>
#include <cstdint>

namespace anneal::cpu {

struct LogitRow {
  float* logits;      // (vocabulary)
  std::size_t count;  // of the vocabulary
  int32_t target;
  float soft_cap;    // 0: none
  float weight = 0;  // d loss / d row loss
};

}  // namespace anneal::cpu
