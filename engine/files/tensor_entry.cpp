#include "engine/files/tensor_entry.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <type_traits>

#include "kernels/core/error.h"
#include "kernels/core/tensor.h"

namespace anneal::engine {
namespace {

// Files do not align tensors, so elements are copied out, which compiles to plain loads.
template <class T>
T element(const std::byte* data, int64_t i) {
  T value;
  std::memcpy(&value, data + i * static_cast<int64_t>(sizeof(T)), sizeof(T));
  return value;
}

template <class From, class To>
void convert(const std::byte* from, To* to, int64_t elements) {
  if constexpr (std::is_same_v<From, To>) {
    if (elements > 0) std::memcpy(to, from, static_cast<std::size_t>(elements) * sizeof(To));
  } else {
    for (int64_t i = 0; i < elements; ++i) to[i] = static_cast<To>(static_cast<float>(element<From>(from, i)));
  }
}

template <class To>
void unpack(const TensorEntry& entry, To* to) {
  const BlockType& type = *entry.block_type;
  std::array<float, 256> values;
  ensure(type.elements <= static_cast<int64_t>(values.size()), "a block holds more elements than are unpacked at once");
  for (int64_t block = 0; block < entry.bytes / type.bytes; ++block) {
    type.unpack(entry.data + block * type.bytes, values.data());
    for (int64_t i = 0; i < type.elements; ++i)
      to[block * type.elements + i] = static_cast<To>(values[static_cast<std::size_t>(i)]);
  }
}

// One stretch of a tensor that is stored as it is read.
void read_plain(const TensorEntry& entry, DType target, void* out) {
  if (entry.block_type != nullptr) {
    dispatch_floating(target, [&](auto to) { unpack(entry, static_cast<decltype(to)*>(out)); });
    return;
  }
  dispatch_floating(entry.dtype, [&](auto from) {
    dispatch_floating(target, [&](auto to) {
      convert<decltype(from)>(entry.data, static_cast<decltype(to)*>(out), entry.elements());
    });
  });
}

void read_interleaved(const TensorEntry& entry, DType target, void* out) {
  const int64_t rows = entry.shape.front();
  const int64_t head = rows / entry.interleaved_heads;
  ensure(rows == head * entry.interleaved_heads && head % 2 == 0, "interleaved heads do not fill a tensor's rows");
  TensorEntry row = entry;
  row.bytes = entry.bytes / rows;
  const int64_t row_bytes = row.elements() * size_of(target);
  for (int64_t i = 0; i < rows; ++i) {
    const int64_t place = i % head;
    const int64_t from = i - place + place % (head / 2) * 2 + place / (head / 2);
    row.data = entry.data + from * row.bytes;
    read_plain(row, target, static_cast<std::byte*>(out) + i * row_bytes);
  }
}

bool converts(DType dtype) {
  return dtype == DType::kF32 || dtype == DType::kF64 || dtype == DType::kF16 || dtype == DType::kBF16;
}

// All exponent bits set means infinity or NaN. Blocks are tested whole, which the compiler turns into vector code.
template <class Bits>
std::optional<int64_t> first_with_exponent(const std::byte* data, Bits exponent, int64_t elements) {
  constexpr int64_t kBlock = 4096;
  for (int64_t begin = 0; begin < elements; begin += kBlock) {
    const int64_t end = std::min(begin + kBlock, elements);
    int found = 0;
    for (int64_t i = begin; i < end; ++i) found |= (element<Bits>(data, i) & exponent) == exponent ? 1 : 0;
    if (found == 0) continue;
    for (int64_t i = begin; i < end; ++i) {
      if ((element<Bits>(data, i) & exponent) == exponent) return i;
    }
  }
  return std::nullopt;
}

}  // namespace

std::string shape_text(const std::vector<int64_t>& shape) { return fmt::format("[{}]", fmt::join(shape, ", ")); }

void read_as(const TensorEntry& entry, DType target, void* out) {
  if (!converts(entry.dtype)) {
    throw input_error(
        "tensor \"{}\" holds {}; weights are read from F32, F16, BF16 and F64. Get the model in one of these.",
        printable(entry.name), name_of(entry.dtype));
  }
  ensure(converts(target), "weights are read as a type that is not built");
  entry.interleaved_heads > 0 ? read_interleaved(entry, target, out) : read_plain(entry, target, out);
}

std::optional<int64_t> first_non_finite(const void* data, DType dtype, int64_t elements) {
  const auto* bytes = static_cast<const std::byte*>(data);
  switch (dtype) {
    case DType::kF64:
      return first_with_exponent<uint64_t>(bytes, 0x7FF0000000000000u, elements);
    case DType::kF32:
      return first_with_exponent<uint32_t>(bytes, 0x7F800000u, elements);
    case DType::kF16:
      return first_with_exponent<uint16_t>(bytes, 0x7C00u, elements);
    case DType::kBF16:
      return first_with_exponent<uint16_t>(bytes, 0x7F80u, elements);
    case DType::kF8E5M2:
      return first_with_exponent<uint8_t>(bytes, 0x7Cu, elements);
    case DType::kF8E4M3:
      return first_with_exponent<uint8_t>(bytes, 0x7Fu, elements);  // no infinity, one NaN pattern
    default:
      return std::nullopt;
  }
}

}  // namespace anneal::engine
