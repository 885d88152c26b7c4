#include "kernels/core/dtype.h"

#include <gtest/gtest.h>

#include <limits>

namespace anneal {
namespace {

TEST(BFloat16, RoundsToNearestEven) {
  EXPECT_EQ(BFloat16(1.0f).bits, 0x3F80);
  EXPECT_EQ(BFloat16(1.00390625f).bits, 0x3F80);   // a tie: to even
  EXPECT_EQ(BFloat16(1.01171875f).bits, 0x3F82);   // a tie: to even, upwards
  EXPECT_EQ(BFloat16(1.0039064f).bits, 0x3F81);
  EXPECT_TRUE(std::isnan(static_cast<float>(BFloat16(std::numeric_limits<float>::quiet_NaN()))));
  EXPECT_TRUE(std::isinf(static_cast<float>(BFloat16(3.4e38f))));
}

TEST(Float16, EveryValueReadsBack) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    Float16 half;
    half.bits = static_cast<uint16_t>(bits);
    const float value = static_cast<float>(half);
    if (std::isnan(value)) continue;
    ASSERT_EQ(Float16(value).bits, bits) << value;
  }
}

TEST(Float16, RoundsTiesToEvenAndOverflowsToInfinity) {
  EXPECT_EQ(Float16(2049.0f).bits, Float16(2048.0f).bits);
  EXPECT_EQ(Float16(2051.0f).bits, Float16(2052.0f).bits);
  EXPECT_EQ(static_cast<float>(Float16(65519.0f)), 65504.0f);
  EXPECT_TRUE(std::isinf(static_cast<float>(Float16(65520.0f))));
  EXPECT_EQ(static_cast<float>(Float16(0x1.8p-25f)), 0x1p-24f);
}

TEST(DType, NamesAreThoseOfSafetensors) {
  EXPECT_EQ(name_of(DType::kBF16), "BF16");
  EXPECT_EQ(dtype_from_name("F8_E4M3"), DType::kF8E4M3);
  EXPECT_FALSE(dtype_from_name("F33").has_value());
}

}  // namespace
}  // namespace anneal
