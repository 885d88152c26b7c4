#include <gtest/gtest.h>

#include "kernels/reference/reference.h"
#include "tests/kernels/ops/cpu_comparison.h"
#include "tests/kernels/ops/finite_differences.h"
#include "tests/kernels/ops/test_tensor.h"

namespace anneal::tests {
namespace {

struct Case {
  explicit Case(int64_t rows = 4, int64_t columns = 7)
      : y(DType::kF64, rows, columns),
        inv_rms(DType::kF64, rows),
        sum(DType::kF64, rows, columns),
        x(DType::kF64, rows, columns),
        pending(DType::kF64, rows, columns),
        weight(DType::kF64, columns),
        dy(DType::kF64, rows, columns),
        dx(DType::kF64, rows, columns),
        dweight(DType::kF64, columns) {
    x.randomize(1, 2.0);
    pending.randomize(2);
    weight.randomize(3, 0.5, 1.0);
    dy.randomize(4);
  }
  double loss(bool has_pending, double offset) {
    reference::run(RmsNorm::Forward{.y = y,
                                    .inv_rms = inv_rms,
                                    .sum = has_pending ? sum.view() : Tensor(),
                                    .x = x,
                                    .pending = has_pending ? pending.view() : Tensor(),
                                    .weight = weight,
                                    .epsilon = 1e-5,
                                    .weight_offset = offset});
    return weighted_sum(y, dy);
  }
  void backward(bool has_pending, double offset, bool accumulate) {
    reference::run(RmsNorm::Backward{.dx = dx,
                                     .dweight = dweight,
                                     .dy = dy,
                                     .x = has_pending ? sum : x,
                                     .inv_rms = inv_rms,
                                     .weight = weight,
                                     .weight_offset = offset,
                                     .accumulate = accumulate});
  }
  TestTensor y, inv_rms, sum, x, pending, weight, dy, dx, dweight;
};

ANNEAL_GRADIENT_TEST(RmsNorm::Forward, RmsNorm) {
  Case c;
  c.loss(false, 0.0);
  c.backward(false, 0.0, false);
  expect_gradient(c.x, c.dx, [&] { return c.loss(false, 0.0); });
  expect_gradient(c.weight, c.dweight, [&] { return c.loss(false, 0.0); });
}

// The sum goes on as the residual, so that the gradient of what comes later is there already and is added to.
ANNEAL_GRADIENT_TEST(RmsNorm::Forward, RmsNormOfASumWithAnOffsetWeight) {
  Case c;
  TestTensor later(DType::kF64, 4, 7);
  later.randomize(5);
  c.dx = later;
  const auto loss = [&] { return c.loss(true, 1.0) + weighted_sum(c.sum, later); };
  loss();
  c.backward(true, 1.0, true);
  expect_gradient(c.x, c.dx, loss);
  expect_gradient(c.pending, c.dx, loss);
  expect_gradient(c.weight, c.dweight, loss);
}

struct Shape {
  int64_t rows, columns, gap;
  DType x_type, y_type;
};
std::vector<Shape> shapes() {
  std::vector<Shape> all;
  for (const int64_t rows : {1, 19}) {
    for (const int64_t columns : {1, 7, 63, 65, 172, 576}) {
      for (const DType y_type : {DType::kF32, DType::kBF16}) {
        all.push_back({rows, columns, columns % 2 == 0 ? 3 : 0, DType::kF32, y_type});
      }
    }
  }
  all.push_back({5, 48, 16, DType::kBF16, DType::kBF16});  // the norm of a head's columns in place of a residual
  return all;
}

struct ForwardTensors {
  explicit ForwardTensors(const Shape& s)
      : y(s.y_type, s.rows, s.columns, s.gap),
        inv_rms(DType::kF32, s.rows),
        sum(s.x_type, s.rows, s.columns, s.gap),
        x(s.x_type, s.rows, s.columns, s.gap),
        pending(s.y_type, s.rows, s.columns, s.gap),
        weight(DType::kF32, s.columns) {
    x.randomize(1, 2.0);
    pending.randomize(2);
    weight.randomize(3, 0.5, 1.0);
  }
  RmsNorm::Forward args(bool adds_pending) const {
    return {.y = y,
            .inv_rms = inv_rms,
            .sum = adds_pending ? sum.view() : Tensor(),
            .x = x,
            .pending = adds_pending ? pending.view() : Tensor(),
            .weight = weight,
            .epsilon = 1e-5,
            .weight_offset = adds_pending ? 1.0 : 0.0};
  }
  TestTensor y, inv_rms, sum, x, pending, weight;
};

TEST(RmsNormOnCpu, ForwardIsTheReference) {
  CpuTeam team;
  for (const Shape& shape : shapes()) {
    for (const bool adds_pending : {false, true}) {
      ForwardTensors expected(shape), actual(shape);
      reference::run(expected.args(adds_pending));
      cpu::run(actual.args(adds_pending), team.part());
      expect_close(actual.y, expected.y);
      expect_close(actual.inv_rms, expected.inv_rms);
      if (adds_pending) expect_close(actual.sum, expected.sum);
    }
  }
}

TEST(RmsNormOnCpu, NormingTheKeptSumAgainGivesTheSameBits) {
  CpuTeam team;
  ForwardTensors first({4, 172, 0, DType::kF32, DType::kBF16}), again = first;
  RmsNorm::Forward in_place = first.args(true);
  in_place.sum = in_place.x;
  cpu::run(in_place, team.part());
  again.x = first.x;
  RmsNorm::Forward refill = again.args(false);
  refill.weight_offset = 1.0;
  cpu::run(refill, team.part());
  EXPECT_TRUE(again.y.has_bits_of(first.y));
  EXPECT_TRUE(again.inv_rms.has_bits_of(first.inv_rms));
}

struct BackwardTensors {
  explicit BackwardTensors(const Shape& s)
      : dx(s.x_type, s.rows, s.columns, s.gap),
        dweight(DType::kF32, s.columns),
        dy(s.y_type, s.rows, s.columns, s.gap),
        x(s.x_type, s.rows, s.columns, s.gap),
        inv_rms(DType::kF32, s.rows),
        weight(DType::kF32, s.columns) {
    dx.randomize(4);
    dweight.randomize(5);  // must be overwritten
    dy.randomize(6);
    x.randomize(7, 2.0);
    inv_rms.randomize(8, 0.1, 0.9);
    weight.randomize(9, 0.5, 1.0);
  }
  RmsNorm::Backward args(bool accumulate, bool wants_dweight = true) const {
    return {.dx = dx,
            .dweight = wants_dweight ? dweight.view() : Tensor(),
            .dy = dy,
            .x = x,
            .inv_rms = inv_rms,
            .weight = weight,
            .weight_offset = 0.25,
            .accumulate = accumulate};
  }
  TestTensor dx, dweight, dy, x, inv_rms, weight;
};

TEST(RmsNormOnCpu, BackwardIsTheReference) {
  CpuTeam team;
  for (const Shape& shape : shapes()) {
    for (const bool accumulate : {false, true}) {
      BackwardTensors expected(shape), actual(shape), without(shape);
      reference::run(expected.args(accumulate));
      cpu::run(actual.args(accumulate), team.part());
      expect_close(actual.dx, expected.dx, 4);
      expect_close(actual.dweight, expected.dweight, 4);
      cpu::run(without.args(accumulate, false), team.part());
      EXPECT_TRUE(without.dx.has_bits_of(actual.dx));
    }
  }
}

TEST(RmsNormOnCpu, TheTeamGivesTheBitsOfOneThread) {
  const Shape shape{61, 172, 4, DType::kF32, DType::kBF16};
  CpuTeam one, three(3);
  ForwardTensors forward(shape), forward_of_team(shape);
  cpu::run(forward.args(true), one.part());
  cpu::run(forward_of_team.args(true), three.whole());
  EXPECT_TRUE(forward_of_team.y.has_bits_of(forward.y));
  BackwardTensors backward(shape), backward_of_team(shape);
  cpu::run(backward.args(true), one.part());
  cpu::run(backward_of_team.args(true), three.whole());
  EXPECT_TRUE(backward_of_team.dx.has_bits_of(backward.dx));
  EXPECT_TRUE(backward_of_team.dweight.has_bits_of(backward.dweight));
}

}  // namespace
}  // namespace anneal::tests
