#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace anneal::datasets {

// For tables in memory only; not the same on every machine.
inline uint64_t hash_text(std::string_view text) {
  constexpr uint64_t kFactor = 0x9E3779B97F4A7C15U;
  uint64_t hash = text.size() * kFactor;
  const char* at = text.data();
  std::size_t left = text.size();
  const auto mix = [&](uint64_t word) {
    hash = (hash ^ word) * kFactor;
    hash ^= hash >> 32;
  };
  for (; left >= 8; at += 8, left -= 8) {
    uint64_t word;
    std::memcpy(&word, at, 8);
    mix(word);
  }
  if (left > 0) {
    uint64_t word = 0;
    std::memcpy(&word, at, left);
    mix(word);
  }
  return hash;
}

}  // namespace anneal::datasets
