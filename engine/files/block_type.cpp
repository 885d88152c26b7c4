#include "engine/files/block_type.h"

#include <array>
#include <cstring>

#include "kernels/core/dtype.h"

namespace anneal::engine {
namespace {

constexpr int kSmall = 32;   // elements in a block with one scale
constexpr int kLarge = 256;  // elements in a block whose parts have scales of their own ("K")

int byte_at(const std::byte* data, int i) { return std::to_integer<int>(data[i]); }

float half_at(const std::byte* data) {
  Float16 value;
  std::memcpy(&value.bits, data, sizeof value.bits);
  return static_cast<float>(value);
}

uint32_t word_at(const std::byte* data) {
  uint32_t value;
  std::memcpy(&value, data, sizeof value);
  return value;
}

// Four bits each: the low halves of 16 bytes are the first 16 elements, the high halves the others.
void unpack_q4_0(const std::byte* block, float* to) {
  const float scale = half_at(block);
  for (int i = 0; i < kSmall / 2; ++i) {
    const int both = byte_at(block + 2, i);
    to[i] = static_cast<float>((both & 15) - 8) * scale;
    to[i + kSmall / 2] = static_cast<float>((both >> 4) - 8) * scale;
  }
}

void unpack_q4_1(const std::byte* block, float* to) {
  const float scale = half_at(block);
  const float least = half_at(block + 2);
  for (int i = 0; i < kSmall / 2; ++i) {
    const int both = byte_at(block + 4, i);
    to[i] = static_cast<float>(both & 15) * scale + least;
    to[i + kSmall / 2] = static_cast<float>(both >> 4) * scale + least;
  }
}

// The fifth bits of all elements stand in one word.
int fifth_bit(uint32_t word, int element) { return static_cast<int>(word >> element & 1u) << 4; }

void unpack_q5_0(const std::byte* block, float* to) {
  const float scale = half_at(block);
  const uint32_t high = word_at(block + 2);
  for (int i = 0; i < kSmall / 2; ++i) {
    const int both = byte_at(block + 6, i);
    to[i] = static_cast<float>(((both & 15) | fifth_bit(high, i)) - 16) * scale;
    to[i + kSmall / 2] = static_cast<float>(((both >> 4) | fifth_bit(high, i + kSmall / 2)) - 16) * scale;
  }
}

void unpack_q5_1(const std::byte* block, float* to) {
  const float scale = half_at(block);
  const float least = half_at(block + 2);
  const uint32_t high = word_at(block + 4);
  for (int i = 0; i < kSmall / 2; ++i) {
    const int both = byte_at(block + 8, i);
    to[i] = static_cast<float>((both & 15) | fifth_bit(high, i)) * scale + least;
    to[i + kSmall / 2] = static_cast<float>((both >> 4) | fifth_bit(high, i + kSmall / 2)) * scale + least;
  }
}

void unpack_q8_0(const std::byte* block, float* to) {
  const float scale = half_at(block);
  for (int i = 0; i < kSmall; ++i) {
    to[i] = static_cast<float>(static_cast<int8_t>(byte_at(block + 2, i))) * scale;
  }
}

// Eight scales and eight least values of six bits each in twelve bytes: the first four of both whole, the last four as
// low halves, with their upper two bits above those of the first.
struct PartScale {
  int scale;
  int least;
};

PartScale part_scale(const std::byte* packed, int part) {
  if (part < 4) return {byte_at(packed, part) & 63, byte_at(packed, part + 4) & 63};
  const int low = byte_at(packed, part + 4);
  return {(low & 15) | (byte_at(packed, part - 4) >> 6 << 4), (low >> 4) | (byte_at(packed, part) >> 6 << 4)};
}

void unpack_q4_k(const std::byte* block, float* to) {
  const float scale = half_at(block);
  const float least = half_at(block + 2);
  const std::byte* quants = block + 16;
  for (int part = 0; part < kLarge / kSmall; ++part) {
    const PartScale six = part_scale(block + 4, part);
    const float part_step = scale * static_cast<float>(six.scale);
    const float part_least = least * static_cast<float>(six.least);
    const int shift = part % 2 * 4;
    for (int i = 0; i < kSmall; ++i) {
      const int quant = byte_at(quants, part / 2 * kSmall + i) >> shift & 15;
      to[part * kSmall + i] = part_step * static_cast<float>(quant) - part_least;
    }
  }
}

void unpack_q5_k(const std::byte* block, float* to) {
  const float scale = half_at(block);
  const float least = half_at(block + 2);
  const std::byte* high = block + 16;
  const std::byte* quants = block + 48;
  for (int part = 0; part < kLarge / kSmall; ++part) {
    const PartScale six = part_scale(block + 4, part);
    const float part_step = scale * static_cast<float>(six.scale);
    const float part_least = least * static_cast<float>(six.least);
    const int shift = part % 2 * 4;
    for (int i = 0; i < kSmall; ++i) {
      const int low = byte_at(quants, part / 2 * kSmall + i) >> shift & 15;
      const int quant = low | (byte_at(high, i) >> part & 1) << 4;
      to[part * kSmall + i] = part_step * static_cast<float>(quant) - part_least;
    }
  }
}

// Halves of 128 elements; a scale of eight bits for each 16.
void unpack_q6_k(const std::byte* block, float* to) {
  const float scale = half_at(block + 208);
  for (int half = 0; half < 2; ++half) {
    const std::byte* low = block + 64 * half;
    const std::byte* high = block + 128 + 32 * half;
    const std::byte* scales = block + 192 + 8 * half;
    for (int part = 0; part < 4; ++part) {
      for (int i = 0; i < kSmall; ++i) {
        const int four = byte_at(low, part % 2 * kSmall + i) >> (part / 2 * 4) & 15;
        const int two = byte_at(high, i) >> (part * 2) & 3;
        const auto part_scale = static_cast<int8_t>(byte_at(scales, part * 2 + i / 16));
        to[128 * half + part * kSmall + i] =
            scale * static_cast<float>(part_scale) * static_cast<float>((four | two << 4) - 32);
      }
    }
  }
}

constexpr std::array kBlockTypes{
    BlockType{"Q4_0", kSmall, 18, unpack_q4_0},  BlockType{"Q4_1", kSmall, 20, unpack_q4_1},
    BlockType{"Q5_0", kSmall, 22, unpack_q5_0},  BlockType{"Q5_1", kSmall, 24, unpack_q5_1},
    BlockType{"Q8_0", kSmall, 34, unpack_q8_0},  BlockType{"Q4_K", kLarge, 144, unpack_q4_k},
    BlockType{"Q5_K", kLarge, 176, unpack_q5_k}, BlockType{"Q6_K", kLarge, 210, unpack_q6_k},
};

}  // namespace

const BlockType* block_type_named(std::string_view name) {
  for (const BlockType& type : kBlockTypes) {
    if (type.name == name) return &type;
  }
  return nullptr;
}

}  // namespace anneal::engine
