#include <gtest/gtest.h>

#include "kernels/reference/reference.h"
#include "tests/kernels/ops/cpu_comparison.h"
#include "tests/kernels/ops/test_tensor.h"

namespace anneal::tests {
namespace {

TEST(ConvertOnCpu, IsTheReference) {
  CpuTeam one, three(3);
  for (const DType in_type : {DType::kF32, DType::kBF16}) {
    for (const DType out_type : {DType::kF32, DType::kBF16}) {
      for (const int64_t columns : {1, 7, 63, 65, 172}) {
        for (const double scale : {1.0, 0.37}) {
          for (const bool round : {false, true}) {
            TestTensor in(in_type, 5, columns, 3), expected(out_type, 5, columns, 1), actual = expected;
            in.randomize(1);
            reference::run(Convert::Forward{expected, in, scale, round});
            cpu::run(Convert::Forward{actual, in, scale, round}, one.part());
            if (scale == 1.0) {
              EXPECT_TRUE(actual.has_bits_of(expected));
            }
            expect_close(actual, expected, round ? 2000 : 1);  // a tie may fall to the other side
          }
        }
      }
    }
  }
  TestTensor in(DType::kF32, 700, 301), out(DType::kBF16, 700, 301), of_team(DType::kBF16, 700, 301);
  in.randomize(2);
  cpu::run(Convert::Forward{out, in, 0.3}, one.whole());
  cpu::run(Convert::Forward{of_team, in, 0.3}, three.whole());
  EXPECT_TRUE(of_team.has_bits_of(out));
}

// Every BF16 value with what may lie below it: exact, just above, just below a tie, a tie, just past it.
TEST(ConvertOnCpu, RoundsEveryFloatAsBFloat16Does) {
  CpuTeam team;
  for (const uint32_t below : {0x0000u, 0x0001u, 0x7FFFu, 0x8000u, 0x8001u, 0xFFFFu}) {
    TestTensor in(DType::kF32, 1, 65536), out(DType::kBF16, 1, 65536), rounded(DType::kF32, 1, 65536);
    for (uint32_t upper = 0; upper < 65536; ++upper) {
      static_cast<uint32_t*>(in.view().data())[upper] = (upper << 16) | below;
    }
    cpu::run(Convert::Forward{out, in}, team.part());
    cpu::run(Convert::Forward{.out = rounded, .in = in, .round_to_bf16 = true}, team.part());
    for (uint32_t upper = 0; upper < 65536; ++upper) {
      const BFloat16 expected(in.view().as<float>()[upper]);
      ASSERT_EQ(out.view().as<BFloat16>()[upper].bits, expected.bits) << upper << ' ' << below;
      ASSERT_EQ(static_cast<uint32_t*>(rounded.view().data())[upper], uint32_t{expected.bits} << 16);
    }
  }
}

TEST(ConvertOnCpu, RefusesDoubles) {
  CpuTeam team;
  TestTensor in(DType::kF64, 2, 2), out(DType::kF32, 2, 2);
  EXPECT_THROW(cpu::run(Convert::Forward{out, in}, team.part()), InternalError);
}

}  // namespace
}  // namespace anneal::tests
