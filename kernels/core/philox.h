#pragma once
// Philox4x32-10: random numbers as a pure function of (seed, key, counter), so that a replay of any part of a run draws
// the same numbers whatever the order. Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy as 1, 2, 3"
// (2011).

#include <array>
#include <cstdint>

namespace anneal {

// Four 32-bit words for one counter under one key.
constexpr std::array<uint32_t, 4> philox4x32(std::array<uint32_t, 4> counter, std::array<uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const uint64_t first = uint64_t{0xD2511F53u} * counter[0];
    const uint64_t second = uint64_t{0xCD9E8D57u} * counter[2];
    counter = {static_cast<uint32_t>(second >> 32) ^ counter[1] ^ key[0], static_cast<uint32_t>(second),
               static_cast<uint32_t>(first >> 32) ^ counter[3] ^ key[1], static_cast<uint32_t>(first)};
    key = {key[0] + 0x9E3779B9u, key[1] + 0xBB67AE85u};
  }
  return counter;
}

// What a stream of random numbers is for; part of the key, so that two uses of one seed never share numbers.
enum class RandomUse : uint32_t {
  kAdapterInit = 1,
  kModelInit = 2,
  kDropout = 3,
  kShuffle = 4,
  kSampling = 5,
  kSplit = 6
};

// One stream: (seed, use, index). `at(i)` is the i-th word of it.
class RandomStream {
 public:
  constexpr RandomStream(uint64_t seed, RandomUse use, uint64_t index = 0)
      : key_{static_cast<uint32_t>(seed),
             static_cast<uint32_t>(seed >> 32) ^ (static_cast<uint32_t>(use) * 0x85EBCA6Bu)},
        index_(index) {}

  constexpr uint32_t at(uint64_t i) const {
    const uint64_t block = i / 4;
    return philox4x32({static_cast<uint32_t>(block), static_cast<uint32_t>(block >> 32), static_cast<uint32_t>(index_),
                       static_cast<uint32_t>(index_ >> 32)},
                      key_)[i % 4];
  }
  uint32_t next() { return at(position_++); }
  double next_uniform() {
    return (static_cast<double>(next() >> 5) * 67108864.0 + static_cast<double>(next() >> 6)) / 9007199254740992.0;
  }                                     // [0, 1), 53 bits
  uint64_t next_below(uint64_t bound);  // unbiased
  double next_normal();                 // Box-Muller

 private:
  std::array<uint32_t, 2> key_;
  uint64_t index_;
  uint64_t position_ = 0;
};

}  // namespace anneal
