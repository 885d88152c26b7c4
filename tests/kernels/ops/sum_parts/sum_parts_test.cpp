#include <gtest/gtest.h>

#include "kernels/reference/reference.h"
#include "tests/kernels/ops/cpu_comparison.h"
#include "tests/kernels/ops/test_tensor.h"

namespace anneal::tests {
namespace {

TEST(SumPartsOnCpu, IsTheReferenceWithTheSameBitsForEveryTeam) {
  CpuTeam one, three(3);
  for (const int64_t count : {1, 7, 63, 65, 172, 20001}) {
    for (const int64_t parts : {0, 1, 9}) {
      for (const bool accumulate : {false, true}) {
        TestTensor values(DType::kF32, parts, count, 6), expected(DType::kF32, count);
        values.randomize(1);
        expected.randomize(2);
        TestTensor actual = expected, of_team = expected;
        reference::run(SumParts::Forward{expected, values, accumulate});
        cpu::run(SumParts::Forward{actual, values, accumulate}, one.whole());
        cpu::run(SumParts::Forward{of_team, values, accumulate}, three.whole());
        expect_close(actual, expected);
        EXPECT_TRUE(of_team.has_bits_of(actual));
      }
    }
  }
}

}  // namespace
}  // namespace anneal::tests
