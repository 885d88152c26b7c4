#include "engine/files/tensor_entry.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <limits>
#include <vector>

#include "tests/engine/files/safetensors_fixture.h"
#include "tests/support/sentence_of.h"

namespace anneal::engine {
namespace {

using tests::bytes_of;

// An entry whose numbers lie at an odd address, as they may in a file.
class Entry {
 public:
  template <class T>
  Entry(DType dtype, const std::vector<T>& values) : bytes_("x" + bytes_of(values)) {
    entry_ = {.name = "w",
              .dtype = dtype,
              .shape = {static_cast<int64_t>(values.size())},
              .data = reinterpret_cast<const std::byte*>(bytes_.data() + 1),
              .bytes = static_cast<int64_t>(bytes_.size() - 1)};
  }
  const TensorEntry& operator*() const { return entry_; }

 private:
  std::string bytes_;
  TensorEntry entry_;
};

template <class T>
std::vector<T> read(const Entry& entry, DType target) {
  std::vector<T> values(static_cast<std::size_t>((*entry).elements()));
  read_as(*entry, target, values.data());
  return values;
}

TEST(TensorEntry, ReadsEveryFloatAsEveryOther) {
  const Entry f32(DType::kF32, std::vector<float>{1.0f, -0.1f, 65504.0f});
  const Entry f64(DType::kF64, std::vector<double>{1.0, -0.1, 65504.0});
  const Entry f16(DType::kF16, std::vector<uint16_t>{0x3C00, 0xAE66, 0x7BFF});    // 1, -0.0999755859375, 65504
  const Entry bf16(DType::kBF16, std::vector<uint16_t>{0x3F80, 0xBDCD, 0x477F});  // 1, -0.10009765625, 65280
  EXPECT_EQ(read<float>(f32, DType::kF32), (std::vector<float>{1.0f, -0.1f, 65504.0f}));
  EXPECT_EQ(read<double>(f64, DType::kF64), (std::vector<double>{1.0, -0.1, 65504.0}));
  EXPECT_EQ(read<float>(f64, DType::kF32), (std::vector<float>{1.0f, -0.1f, 65504.0f}));
  EXPECT_EQ(read<float>(f16, DType::kF32), (std::vector<float>{1.0f, -0.0999755859375f, 65504.0f}));
  EXPECT_EQ(read<double>(bf16, DType::kF64), (std::vector<double>{1.0, -0.10009765625, 65280.0}));
  // 65504 lies between 65280 and 65536 and rounds up in BF16.
  EXPECT_EQ(read<uint16_t>(f32, DType::kBF16), (std::vector<uint16_t>{0x3F80, 0xBDCD, 0x4780}));
  EXPECT_EQ(read<uint16_t>(f16, DType::kBF16), (std::vector<uint16_t>{0x3F80, 0xBDCD, 0x4780}));
  EXPECT_EQ(read<uint16_t>(f32, DType::kF16), (std::vector<uint16_t>{0x3C00, 0xAE66, 0x7BFF}));
  EXPECT_EQ(read<uint16_t>(bf16, DType::kBF16), (std::vector<uint16_t>{0x3F80, 0xBDCD, 0x477F}));
}

TEST(TensorEntry, WholeNumbersAreNoWeights) {
  const Entry entry(DType::kI8, std::vector<int8_t>{1});
  float out = 0;
  EXPECT_EQ(tests::sentence_of([&] { read_as(*entry, DType::kF32, &out); }),
            "tensor \"w\" holds I8; weights are read from F32, F16, BF16 and F64. Get the model in one of these.");
}

TEST(TensorEntry, InterleavedHeadsAreReadAsHalves) {
  // Two heads of four rows of two numbers; neighbours turn together.
  const std::vector<float> stored{0, 0.5, 2, 2.5, 1, 1.5, 3, 3.5, 10, 10.5, 12, 12.5, 11, 11.5, 13, 13.5};
  const std::string bytes = bytes_of(stored);
  const TensorEntry entry{.name = "q",
                          .shape = {8, 2},
                          .data = reinterpret_cast<const std::byte*>(bytes.data()),
                          .bytes = static_cast<int64_t>(bytes.size()),
                          .interleaved_heads = 2};
  std::vector<float> read(stored.size());
  read_as(entry, DType::kF32, read.data());
  EXPECT_EQ(read, (std::vector<float>{0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 10, 10.5, 11, 11.5, 12, 12.5, 13, 13.5}));
}

TEST(TensorEntry, FindsTheFirstNonFiniteNumber) {
  std::vector<float> values(10'000, 1.0f);
  const auto first = [&] { return first_non_finite(values.data(), DType::kF32, static_cast<int64_t>(values.size())); };
  EXPECT_EQ(first(), std::nullopt);
  values[0] = std::numeric_limits<float>::max();
  values[1] = -std::numeric_limits<float>::denorm_min();
  EXPECT_EQ(first(), std::nullopt);
  values[9'999] = -std::numeric_limits<float>::infinity();
  EXPECT_EQ(first(), 9'999);
  values[4'096] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(first(), 4'096);
}

TEST(TensorEntry, FindsItInEveryFloatingType) {
  const std::array<double, 2> f64 = {1, std::numeric_limits<double>::infinity()};
  EXPECT_EQ(first_non_finite(f64.data(), DType::kF64, 2), 1);
  const std::array<uint16_t, 3> halves = {0x7BFF, 0xFBFF, 0xFC00};  // +-65504, -infinity
  EXPECT_EQ(first_non_finite(halves.data(), DType::kF16, 3), 2);
  const std::array<uint16_t, 3> brains = {0x7F7F, 0x0001, 0x7FC0};  // largest, smallest, NaN
  EXPECT_EQ(first_non_finite(brains.data(), DType::kBF16, 3), 2);
  const std::array<uint8_t, 3> e5m2 = {0x7B, 0xFB, 0x7C};  // +-57344, infinity
  EXPECT_EQ(first_non_finite(e5m2.data(), DType::kF8E5M2, 3), 2);
  const std::array<uint8_t, 3> e4m3 = {0x7E, 0xFE, 0xFF};  // +-448, NaN
  EXPECT_EQ(first_non_finite(e4m3.data(), DType::kF8E4M3, 3), 2);
  const std::array<int32_t, 1> whole = {0x7F800000};
  EXPECT_EQ(first_non_finite(whole.data(), DType::kI32, 1), std::nullopt);
}

}  // namespace
}  // namespace anneal::engine
