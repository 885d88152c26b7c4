#include <gtest/gtest.h>

#include "kernels/reference/reference.h"
#include "tests/kernels/ops/cpu_comparison.h"
#include "tests/kernels/ops/finite_differences.h"
#include "tests/kernels/ops/test_tensor.h"

namespace anneal::tests {
namespace {

void check_gradient(Activation activation) {
  TestTensor gate_up(DType::kF64, 3, 14), y(DType::kF64, 3, 7), dy(DType::kF64, 3, 7), dgate_up(DType::kF64, 3, 14);
  gate_up.randomize(1, 4.0);
  dy.randomize(2);
  const auto loss = [&] {
    reference::run(GatedActivation::Forward{.y = y, .gate_up = gate_up, .activation = activation});
    return weighted_sum(y, dy);
  };
  reference::run(
      GatedActivation::Backward{.dgate_up = dgate_up, .dy = dy, .gate_up = gate_up, .activation = activation});
  expect_gradient(gate_up, dgate_up, loss);
}

ANNEAL_GRADIENT_TEST(GatedActivation::Forward, GatedActivationSilu) { check_gradient(Activation::kSilu); }
ANNEAL_GRADIENT_TEST(GatedActivation::Forward, GatedActivationGelu) { check_gradient(Activation::kGeluTanh); }

constexpr Activation kBoth[] = {Activation::kSilu, Activation::kGeluTanh};

TEST(GatedActivationOnCpu, ForwardIsTheReference) {
  CpuTeam one, three(3);
  for (const Activation activation : kBoth) {
    for (const DType dtype : {DType::kF32, DType::kBF16}) {
      for (const int64_t rows : {1, 13}) {
        for (const int64_t width : {1, 7, 63, 65, 172}) {
          TestTensor gate_up(dtype, rows, 2 * width, 3), expected(dtype, rows, width, 2), actual = expected;
          gate_up.randomize(1, 6.0);
          reference::run(GatedActivation::Forward{expected, gate_up, activation});
          cpu::run(GatedActivation::Forward{actual, gate_up, activation}, one.part());
          expect_close(actual, expected);
          TestTensor of_team(dtype, rows, width, 2);
          cpu::run(GatedActivation::Forward{of_team, gate_up, activation}, three.whole());
          EXPECT_TRUE(of_team.has_bits_of(actual));
        }
      }
    }
  }
}

TEST(GatedActivationOnCpu, BackwardIsTheReferenceAlsoInPlace) {
  CpuTeam one, three(3);
  for (const Activation activation : kBoth) {
    for (const DType dtype : {DType::kF32, DType::kBF16}) {
      for (const int64_t rows : {1, 13}) {
        for (const int64_t width : {1, 7, 63, 65, 172}) {
          TestTensor gate_up(dtype, rows, 2 * width, 3), dy(dtype, rows, width, 1), expected(dtype, rows, 2 * width);
          gate_up.randomize(1, 6.0);
          dy.randomize(2);
          reference::run(GatedActivation::Backward{expected, dy, gate_up, activation});
          TestTensor in_place = gate_up, of_team = expected;
          cpu::run(GatedActivation::Backward{in_place, dy, in_place, activation}, one.part());
          expect_close(in_place, expected);
          cpu::run(GatedActivation::Backward{of_team, dy, gate_up, activation}, three.whole());
          EXPECT_TRUE(of_team.has_bits_of(in_place));
        }
      }
    }
  }
}

// Relative to each value, over the whole range in which SiLU is not lost below the smallest float.
TEST(GatedActivationOnCpu, SiluIsExactToAMillionth) {
  CpuTeam team;
  constexpr int64_t kCount = 20001;
  TestTensor gate_up(DType::kF32, kCount, 2), y(DType::kF32, kCount, 1), dy(DType::kF32, kCount, 1),
      dgate_up(DType::kF32, kCount, 2);
  for (int64_t i = 0; i < kCount; ++i) {
    gate_up.set(i, 0, -82.0 + 164.0 * static_cast<double>(i) / (kCount - 1));
    gate_up.set(i, 1, 1);
    dy.set(i, 0, 1);
  }
  cpu::run(GatedActivation::Forward{y, gate_up, Activation::kSilu}, team.part());
  cpu::run(GatedActivation::Backward{dgate_up, dy, gate_up, Activation::kSilu}, team.part());
  for (int64_t i = 0; i < kCount; ++i) {
    const double x = gate_up.at(i, 0);
    const double sigmoid = 1 / (1 + std::exp(-x));
    ASSERT_NEAR(y.at(i), x * sigmoid, 1e-6 * std::abs(x * sigmoid)) << x;
    // The slope crosses zero at -1.278: there it is exact to a millionth of its terms.
    ASSERT_NEAR(dgate_up.at(i, 0), sigmoid * (1 + x * (1 - sigmoid)), 1e-6 * sigmoid * (1 + std::abs(x))) << x;
  }
}

TEST(GatedActivationOnCpu, FarGatesAreZeroOrThemselvesAndNanStays) {
  CpuTeam team;
  for (const Activation activation : kBoth) {
    TestTensor gate_up(DType::kF32, 4, 2), y(DType::kF32, 4, 1);
    const double gates[] = {-1e30, 1e10, -INFINITY, NAN};
    for (int64_t i = 0; i < 4; ++i) {
      gate_up.set(i, 0, gates[i]);
      gate_up.set(i, 1, 2);
    }
    cpu::run(GatedActivation::Forward{y, gate_up.view(), activation}, team.part());
    EXPECT_EQ(y.at(0), 0);
    EXPECT_EQ(y.at(1), 2.0 * static_cast<double>(1e10f));
    EXPECT_TRUE(std::isnan(y.at(2))) << "−∞ · 0, as in IEEE arithmetic";
    EXPECT_TRUE(std::isnan(y.at(3)));
  }
}

}  // namespace
}  // namespace anneal::tests
