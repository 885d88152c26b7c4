#include <gtest/gtest.h>

#include "kernels/reference/reference.h"
#include "tests/kernels/ops/cpu_comparison.h"
#include "tests/kernels/ops/test_tensor.h"

namespace anneal::tests {
namespace {

double norm_of(const TestTensor& x, cpu::Worker worker, double before = 0) {
  TestTensor result(DType::kF64, 1);
  result.set(0, 0, before);
  cpu::run(SquaredNorm::Forward{result, x}, worker);
  return result.at(0);
}

TEST(SquaredNormOnCpu, IsTheReferenceWithTheSameBitsForEveryTeam) {
  CpuTeam one, three(3);
  for (const int64_t count : {1, 7, 63, 65, 172, 4095, 4096, 4097, 300001}) {
    TestTensor x(DType::kF32, count), expected(DType::kF64, 1);
    x.randomize(1);
    expected.set(0, 0, 5);
    reference::run(SquaredNorm::Forward{expected, x});
    const double actual = norm_of(x, one.whole(), 5);
    EXPECT_NEAR(actual, expected.at(0), 1e-12 * expected.at(0));  // double, added one by one or in pieces
    EXPECT_EQ(norm_of(x, three.whole(), 5), actual);
    EXPECT_EQ(norm_of(x, three.part(), 5), actual);
  }
}

TEST(SquaredNormOnCpu, SumsOfMoreElementsThanAreWorkedAtOnce) {
  CpuTeam three(3);
  constexpr int64_t kCount = 2048 * 4096 + 3;
  TestTensor x(DType::kF32, kCount);
  std::fill_n(x.view().as<float>(), kCount, 0.5f);
  EXPECT_EQ(norm_of(x, three.whole()), 0.25 * kCount);
}

TEST(SquaredNormOnCpu, WhatIsNotFiniteShows) {
  CpuTeam team(2);
  for (const int64_t at : {0, 4100, 9999}) {
    TestTensor x(DType::kF32, 10000);
    x.randomize(1);
    x.set(at, 0, NAN);
    EXPECT_TRUE(std::isnan(norm_of(x, team.whole())));
    x.set(at, 0, -INFINITY);
    EXPECT_EQ(norm_of(x, team.whole()), INFINITY);
    x.set(at, 0, 3e38);  // finite, and so is its square in double
    EXPECT_TRUE(std::isfinite(norm_of(x, team.whole())));
  }
}

}  // namespace
}  // namespace anneal::tests
