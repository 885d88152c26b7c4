#include <gtest/gtest.h>

#include "kernels/reference/reference.h"
#include "tests/kernels/ops/cpu_comparison.h"
#include "tests/kernels/ops/test_tensor.h"

namespace anneal::tests {
namespace {

struct Optimized {
  Optimized(int64_t count, DType copy_type)
      : parameter(DType::kF32, count),
        gradient(DType::kF32, count),
        first(DType::kF32, count),
        second(DType::kF32, count),
        copy(copy_type, count) {
    parameter.randomize(1);
    gradient.randomize(2);
    first.randomize(3, 0.1);
    second.randomize(4, 0.01, 0.02);
  }
  AdamW::Update args(int64_t step) const {
    return {.parameter = parameter,
            .gradient = gradient,
            .first_moment = first,
            .second_moment = second,
            .copy = copy,
            .learning_rate = 1e-2,
            .beta1 = 0.9,
            .beta2 = 0.95,
            .epsilon = 1e-6,
            .weight_decay = 0.1,
            .gradient_scale = 0.5,
            .step = step};
  }
  TestTensor parameter, gradient, first, second, copy;
};

TEST(AdamWOnCpu, IsTheReference) {
  CpuTeam one, three(3);
  for (const int64_t count : {1, 7, 63, 65, 172, 100003}) {
    for (const DType copy_type : {DType::kF32, DType::kBF16}) {
      Optimized expected(count, copy_type), actual = expected, of_team = expected;
      for (int64_t step = 1; step <= 3; ++step) {
        reference::run(expected.args(step));
        cpu::run(actual.args(step), one.whole());
        cpu::run(of_team.args(step), three.whole());
      }
      expect_close(actual.parameter, expected.parameter);
      expect_close(actual.first, expected.first);
      expect_close(actual.second, expected.second);
      expect_close(actual.copy, expected.copy, 2000);  // a tie may fall to the other side
      EXPECT_TRUE(of_team.parameter.has_bits_of(actual.parameter));
      EXPECT_TRUE(of_team.copy.has_bits_of(actual.copy));
    }
  }
}

// At the first step the corrected moments are g and g², so that a parameter moves by the learning rate against the
// gradient's sign, whatever the gradient's size; decay takes its share before.
TEST(AdamWOnCpu, FirstStepMovesByTheLearningRate) {
  CpuTeam team;
  TestTensor parameter(DType::kF32, 3), gradient(DType::kF32, 3), first(DType::kF32, 3), second(DType::kF32, 3);
  const double gradients[] = {1e-3, -20.0, 0.0};
  for (int64_t i = 0; i < 3; ++i) {
    parameter.set(i, 0, 2.0);
    gradient.set(i, 0, gradients[i]);
  }
  cpu::run(AdamW::Update{.parameter = parameter,
                         .gradient = gradient,
                         .first_moment = first,
                         .second_moment = second,
                         .copy = {},
                         .learning_rate = 0.25,
                         .weight_decay = 0.5},
           team.whole());
  EXPECT_NEAR(parameter.at(0), 2.0 - 0.25 - 0.25, 1e-5);  // 2 · 0.25 · 0.5 of decay
  EXPECT_NEAR(parameter.at(1), 2.0 - 0.25 + 0.25, 1e-5);
  EXPECT_EQ(parameter.at(2), 1.75);
}

}  // namespace
}  // namespace anneal::tests
