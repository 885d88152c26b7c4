#include <gtest/gtest.h>
#include <omp.h>

#include "kernels/reference/reference.h"
#include "tests/kernels/ops/cpu_comparison.h"
#include "tests/kernels/ops/finite_differences.h"
#include "tests/kernels/ops/test_tensor.h"

namespace anneal::tests {
namespace {

LinearWeight plain_weight(const Tensor& plain) {
  LinearWeight weight;
  weight.plain = plain;
  weight.outputs = plain.rows();
  weight.inputs = plain.columns();
  return weight;
}

ANNEAL_GRADIENT_TEST(Linear::Forward, Linear) {
  constexpr int64_t kRows = 4, kInputs = 5, kOutputs = 3;
  TestTensor x(DType::kF64, kRows, kInputs, 2), w(DType::kF64, kOutputs, kInputs), bias(DType::kF64, kOutputs);
  TestTensor y(DType::kF64, kRows, kOutputs, 1), dy(DType::kF64, kRows, kOutputs);
  x.randomize(1);
  w.randomize(2);
  bias.randomize(3);
  dy.randomize(4);
  const LinearWeight weight = plain_weight(w);
  const auto loss = [&] {
    y.randomize(5);
    reference::run(Linear::Forward{.y = y, .x = x, .weight = weight, .bias = bias, .alpha = 0.7, .accumulate = true});
    return weighted_sum(y, dy);
  };

  TestTensor dx(DType::kF64, kRows, kInputs), dw(DType::kF64, kOutputs, kInputs), dbias(DType::kF64, kOutputs);
  reference::run(Linear::BackwardInput{.dx = dx, .dy = dy, .weight = weight, .alpha = 0.7});
  reference::run(Linear::BackwardWeight{.dweight = dw, .dbias = dbias, .dy = dy, .x = x, .alpha = 0.7});
  expect_gradient(x, dx, loss);
  expect_gradient(w, dw, loss);
  expect_gradient(bias, dbias, loss);
}

struct Sizes {
  int64_t rows, inputs, outputs;
};
constexpr Sizes kSizes[] = {{1, 1, 1},     {1, 64, 172},  {7, 63, 65},   {33, 172, 7},
                            {256, 64, 16}, {5, 1100, 24}, {300, 16, 260}};

struct Types {
  DType x, weight, y;
};
constexpr Types kTypes[] = {{DType::kF32, DType::kF32, DType::kF32},
                            {DType::kBF16, DType::kF32, DType::kBF16},
                            {DType::kBF16, DType::kF32, DType::kF32},
                            {DType::kF32, DType::kBF16, DType::kF32},
                            {DType::kBF16, DType::kBF16, DType::kBF16}};

// x and y are columns of wider matrices, as the parts of q/k/v are.
struct Tensors {
  Tensors(const Sizes& s, const Types& t, int64_t gap = 3)
      : x(t.x, s.rows, s.inputs, gap),
        w(t.weight, s.outputs, s.inputs),
        bias(DType::kF32, s.outputs),
        y(t.y, s.rows, s.outputs, gap) {
    x.randomize(1);
    w.randomize(2);
    bias.randomize(3);
    y.randomize(4);
  }
  Linear::Forward forward(double alpha, bool accumulate, bool has_bias) const {
    return {.y = y,
            .x = x,
            .weight = plain_weight(w),
            .bias = has_bias ? bias.view() : Tensor(),
            .alpha = alpha,
            .accumulate = accumulate};
  }
  Linear::BackwardInput backward_input(double alpha, bool accumulate) const {
    return {.dx = x, .dy = y, .weight = plain_weight(w), .alpha = alpha, .accumulate = accumulate};
  }
  TestTensor x, w, bias, y;
};

// What the plan would give each thread: one byte less must not do.
template <class Args>
CpuTeam team_for(const Args& args, int threads) {
  return CpuTeam(threads, std::max<int64_t>(1, cpu::scratch_bytes(args, threads)));
}

TEST(LinearOnCpu, ForwardIsTheReference) {
  for (const Sizes& sizes : kSizes) {
    for (const Types& types : kTypes) {
      for (const bool accumulate : {false, true}) {
        for (const bool has_bias : {false, true}) {
          Tensors expected(sizes, types), actual(sizes, types);
          const auto args = actual.forward(accumulate ? 0.75 : 1.0, accumulate, has_bias);
          reference::run(expected.forward(accumulate ? 0.75 : 1.0, accumulate, has_bias));
          cpu::run(args, team_for(args, 1).part());
          expect_close(actual.y, expected.y, 4);
        }
      }
    }
  }
}

TEST(LinearOnCpu, BackwardInputIsTheReference) {
  for (const Sizes& sizes : kSizes) {
    for (const Types& types : kTypes) {
      for (const bool accumulate : {false, true}) {
        Tensors expected(sizes, types), actual(sizes, types);
        const auto args = actual.backward_input(accumulate ? 0.75 : 1.0, accumulate);
        reference::run(expected.backward_input(accumulate ? 0.75 : 1.0, accumulate));
        cpu::run(args, team_for(args, 1).part());
        expect_close(actual.x, expected.x, 4);
      }
    }
  }
}

TEST(LinearOnCpu, BackwardWeightIsTheReference) {
  for (const Sizes& sizes : kSizes) {
    for (const Types& types : kTypes) {
      for (const bool accumulate : {false, true}) {
        Tensors tensors(sizes, types);
        TestTensor expected(DType::kF32, sizes.outputs, sizes.inputs), expected_bias(DType::kF32, sizes.outputs);
        expected.randomize(5);
        expected_bias.randomize(6);
        TestTensor actual = expected, actual_bias = expected_bias, of_team = expected, of_team_bias = expected_bias;
        const auto args = [&](const TestTensor& dweight, const TestTensor& dbias) {
          return Linear::BackwardWeight{.dweight = dweight,
                                        .dbias = dbias,
                                        .dy = tensors.y,
                                        .x = tensors.x,
                                        .alpha = accumulate ? 0.75 : 1.0,
                                        .accumulate = accumulate};
        };
        reference::run(args(expected, expected_bias));
        cpu::run(args(actual, actual_bias), team_for(args(actual, actual_bias), 1).part());
        cpu::run(args(of_team, of_team_bias), team_for(args(actual, actual_bias), 2).whole());
        expect_close(actual, expected, 8);
        expect_close(actual_bias, expected_bias, 4);
        expect_close(of_team, expected, 8);
        expect_close(of_team_bias, expected_bias, 4);
      }
    }
  }
}

// Large enough to be cut into tiles that several threads share.
constexpr Sizes kLarge{300, 80, 400};

TEST(LinearOnCpu, EveryTeamGivesTheSameBits) {
  for (const Types& types : kTypes) {
    Tensors first(kLarge, types), first_back(kLarge, types);
    TestTensor first_dw(DType::kF32, kLarge.outputs, kLarge.inputs), first_db(DType::kF32, kLarge.outputs);
    for (const int threads : {1, 2, 3}) {
      Tensors forward(kLarge, types), back(kLarge, types);
      TestTensor dw(DType::kF32, kLarge.outputs, kLarge.inputs), db(DType::kF32, kLarge.outputs);
      const Linear::BackwardWeight gradient{.dweight = dw, .dbias = db, .dy = back.y, .x = forward.x};
      cpu::run(gradient, team_for(gradient, threads).whole());
      cpu::run(forward.forward(0.5, true, true), team_for(forward.forward(0.5, true, true), threads).whole());
      cpu::run(back.backward_input(0.5, true), team_for(back.backward_input(0.5, true), threads).whole());
      if (threads == 1) {
        first = forward, first_back = back, first_dw = dw, first_db = db;
        continue;
      }
      EXPECT_TRUE(forward.y.has_bits_of(first.y));
      EXPECT_TRUE(back.x.has_bits_of(first_back.x));
      EXPECT_TRUE(dw.has_bits_of(first_dw));
      EXPECT_TRUE(db.has_bits_of(first_db));
    }
  }
}

// However the rows are cut, and whoever computes them: a replay of a part, or a last part of few rows, is bitwise
// equal.
TEST(LinearOnCpu, PartsOnSeveralThreadsGiveTheBitsOfTheWhole) {
  constexpr int64_t kPartRows = 37;
  for (const Types& types : kTypes) {
    Tensors whole(kLarge, types), parts(kLarge, types);
    CpuTeam team = team_for(whole.forward(1.0, false, true), 2);
    cpu::run(whole.forward(1.0, false, true), team.whole());
    cpu::run(whole.backward_input(1.0, true), team_for(whole.backward_input(1.0, true), 2).whole());
    CpuTeam back_team = team_for(parts.backward_input(1.0, true), 2);
#pragma omp parallel for num_threads(2) schedule(dynamic, 1)
    for (int64_t begin = 0; begin < kLarge.rows; begin += kPartRows) {
      const int64_t end = std::min(kLarge.rows, begin + kPartRows);
      auto part = parts.forward(1.0, false, true);
      part.y = part.y.slice_rows(begin, end);
      part.x = part.x.slice_rows(begin, end);
      cpu::run(part, team.part(omp_get_thread_num()));
      auto back = parts.backward_input(1.0, true);
      back.dx = back.dx.slice_rows(begin, end);
      back.dy = back.dy.slice_rows(begin, end);
      cpu::run(back, back_team.part(omp_get_thread_num()));
    }
    EXPECT_TRUE(parts.y.has_bits_of(whole.y));
    EXPECT_TRUE(parts.x.has_bits_of(whole.x));
  }
}

// An element depends on its row of a and its column of b alone: generating a text row by row gives what training saw.
TEST(LinearOnCpu, ARowsBitsAreThoseOfAnyNumberOfRows) {
  // Several blocks of the inner dimension; ends inside a vector, and a shape whose weight few rows read where it lies.
  constexpr Sizes kShapes[] = {{300, 602, 19}, {300, 64, 576}};
  for (const Types& types : kTypes) {
    for (const Sizes& sizes : kShapes) {
      Tensors all(sizes, types);
      cpu::run(all.forward(1.0, true, true), team_for(all.forward(1.0, true, true), 2).whole());
      cpu::run(all.backward_input(1.0, false), team_for(all.backward_input(1.0, false), 2).whole());
      for (const int64_t rows : {1, 5, 64}) {
        Tensors some(sizes, types);
        auto forward = some.forward(1.0, true, true);
        forward.y = forward.y.slice_rows(0, rows);
        forward.x = forward.x.slice_rows(0, rows);
        cpu::run(forward, team_for(forward, 1).part());
        auto back = some.backward_input(1.0, false);
        back.dx = back.dx.slice_rows(0, rows);
        back.dy = back.dy.slice_rows(0, rows);
        cpu::run(back, team_for(back, 1).part());
        EXPECT_TRUE(some.y.has_rows_of(all.y, rows)) << rows << " rows to " << sizes.outputs << " columns";
        EXPECT_TRUE(some.x.has_rows_of(all.x, rows)) << rows << " rows back from " << sizes.outputs << " columns";
      }
    }
  }
}

TEST(LinearOnCpu, ProductOfBf16IsThatOfTheRoundedValues) {
  Tensors narrow({9, 40, 30}, {DType::kBF16, DType::kF32, DType::kF32});
  Tensors wide({9, 40, 30}, {DType::kF32, DType::kF32, DType::kF32});
  for (int64_t row = 0; row < 9; ++row) {
    for (int64_t column = 0; column < 40; ++column) wide.x.set(row, column, narrow.x.at(row, column));
  }
  cpu::run(narrow.forward(1.0, false, false), team_for(narrow.forward(1.0, false, false), 1).part());
  cpu::run(wide.forward(1.0, false, false), CpuTeam().part());
  EXPECT_TRUE(narrow.y.has_bits_of(wide.y));
}

TEST(LinearOnCpu, RefusesShapesThatDoNotFit) {
  Tensors tensors({4, 8, 6}, kTypes[0]);
  CpuTeam team;
  auto forward = tensors.forward(1.0, false, false);
  forward.y = forward.y.slice_columns(0, 5);
  EXPECT_THROW(cpu::run(forward, team.part()), InternalError);
  auto back = tensors.backward_input(1.0, false);
  back.dy = back.dy.slice_rows(0, 3);
  EXPECT_THROW(cpu::run(back, team.part()), InternalError);
}

}  // namespace
}  // namespace anneal::tests
