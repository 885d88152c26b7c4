#include <gtest/gtest.h>

#include "kernels/reference/reference.h"
#include "tests/kernels/ops/cpu_comparison.h"
#include "tests/kernels/ops/test_tensor.h"

namespace anneal::tests {
namespace {

TEST(FillOnCpu, ClearsEveryByteAndNoOther) {
  CpuTeam three(3);
  for (const DType dtype : {DType::kF32, DType::kBF16, DType::kF64, DType::kI32, DType::kU8}) {
    constexpr int64_t kRows = 1201, kColumns = 333;
    TestTensor x(dtype, kRows, kColumns), all_zero(dtype, kRows, kColumns);
    std::memset(x.view().data(), 0x5A, static_cast<std::size_t>(x.view().bytes()));
    const TestTensor before = x;
    cpu::run(Fill::Forward{x.view().slice_rows(1, kRows - 1)}, three.whole());
    const auto* bytes = static_cast<const std::byte*>(x.view().data());
    const int64_t row_bytes = x.view().bytes() / kRows;
    for (int64_t i = 0; i < x.view().bytes(); ++i) {
      const bool is_outside = i < row_bytes || i >= x.view().bytes() - row_bytes;
      ASSERT_EQ(bytes[i], std::byte{is_outside ? uint8_t{0x5A} : uint8_t{0}});
    }
    reference::run(Fill::Forward{x});
    EXPECT_TRUE(x.has_bits_of(all_zero));
  }
}

}  // namespace
}  // namespace anneal::tests
