#include "kernels/core/dtype.h"

#include <array>
#include <utility>

#include "kernels/core/error.h"

namespace anneal {
namespace {
struct Entry {
  DType dtype;
  int64_t size;
  std::string_view name;
};
constexpr std::array<Entry, 12> kEntries{{{DType::kF32, 4, "F32"},
                                          {DType::kF64, 8, "F64"},
                                          {DType::kF16, 2, "F16"},
                                          {DType::kBF16, 2, "BF16"},
                                          {DType::kI64, 8, "I64"},
                                          {DType::kI32, 4, "I32"},
                                          {DType::kI16, 2, "I16"},
                                          {DType::kI8, 1, "I8"},
                                          {DType::kU8, 1, "U8"},
                                          {DType::kBool, 1, "BOOL"},
                                          {DType::kF8E4M3, 1, "F8_E4M3"},
                                          {DType::kF8E5M2, 1, "F8_E5M2"}}};
}  // namespace

int64_t size_of(DType dtype) { return kEntries[static_cast<std::size_t>(dtype)].size; }
std::string_view name_of(DType dtype) { return kEntries[static_cast<std::size_t>(dtype)].name; }

std::optional<DType> dtype_from_name(std::string_view name) {
  for (const Entry& entry : kEntries) {
    if (entry.name == name) return entry.dtype;
  }
  return std::nullopt;
}

Float16::Float16(float value) {
  const auto raw = std::bit_cast<uint32_t>(value);
  const uint32_t sign = (raw >> 16) & 0x8000u;
  const uint32_t magnitude = raw & 0x7FFFFFFFu;
  if (magnitude > 0x7F800000u) {
    bits = static_cast<uint16_t>(sign | 0x7E00u);  // NaN
  } else if (magnitude >= 0x477FF000u) {
    bits = static_cast<uint16_t>(sign | 0x7C00u);  // 65520 and above round to infinity
  } else if (magnitude < 0x38800000u) {
    // Below 2^-14: subnormal. Adding 0.5 lets the float adder round to nearest even at the right bit.
    const float shifted = std::bit_cast<float>(magnitude) + 0.5f;
    bits = static_cast<uint16_t>(sign | (std::bit_cast<uint32_t>(shifted) - 0x3F000000u));
  } else {
    const uint32_t odd = (magnitude >> 13) & 1u;
    bits = static_cast<uint16_t>(sign | ((magnitude - 0x38000000u + 0xFFFu + odd) >> 13));
  }
}

Float16::operator float() const {
  const uint32_t sign = static_cast<uint32_t>(bits & 0x8000u) << 16;
  const uint32_t exponent = (bits >> 10) & 0x1Fu;
  const uint32_t fraction = bits & 0x3FFu;
  if (exponent == 31) return std::bit_cast<float>(sign | 0x7F800000u | (fraction << 13));
  if (exponent == 0) {
    const float magnitude = static_cast<float>(fraction) * 0x1p-24f;
    return sign ? -magnitude : magnitude;
  }
  return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (fraction << 13));
}

}  // namespace anneal
