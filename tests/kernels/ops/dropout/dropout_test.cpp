#include <gtest/gtest.h>

#include "kernels/reference/reference.h"
#include "tests/kernels/ops/cpu_comparison.h"
#include "tests/kernels/ops/finite_differences.h"
#include "tests/kernels/ops/test_tensor.h"

namespace anneal::tests {
namespace {

ANNEAL_GRADIENT_TEST(Dropout::Forward, Dropout) {
  TestTensor x(DType::kF64, 3, 9), y(DType::kF64, 3, 9), dy(DType::kF64, 3, 9), dx(DType::kF64, 3, 9);
  x.randomize(1);
  dy.randomize(2);
  const TestTensor places = whole_numbers<int64_t>({7, int64_t{1} << 40, 0});
  const auto dropout = [&](const TestTensor& out, const TestTensor& in) {
    reference::run(Dropout::Forward{.y = out, .x = in, .places = places, .probability = 0.3, .key = {1, 2}});
  };
  dropout(dx, dy);
  expect_gradient(x, dx, [&] {
    dropout(y, x);
    return weighted_sum(y, dy);
  });
}

TestTensor places_from(int64_t first, int64_t count) {
  std::vector<int64_t> places;
  for (int64_t i = 0; i < count; ++i) places.push_back(first + i * 3000000007);
  return whole_numbers(places);
}

TEST(DropoutOnCpu, IsTheReference) {
  CpuTeam one, three(3);
  for (const DType type : {DType::kF32, DType::kBF16}) {
    for (const int64_t rows : {1, 9}) {
      for (const int64_t width : {1, 7, 63, 65, 172}) {
        for (const bool accumulate : {false, true}) {
          TestTensor x(type, rows, width, 3), expected(type, rows, width, 2);
          x.randomize(1);
          expected.randomize(2);
          TestTensor actual = expected, of_team = expected;
          const TestTensor places = places_from(5, rows);
          const auto args = [&](const TestTensor& y) {
            return Dropout::Forward{y, x, places, 0.35, {11, 0xFFFFFFF0u}, accumulate};
          };
          reference::run(args(expected));
          cpu::run(args(actual), one.part());
          expect_close(actual, expected);
          cpu::run(args(of_team), three.whole());
          EXPECT_TRUE(of_team.has_bits_of(actual));
        }
      }
    }
  }
}

TEST(DropoutOnCpu, AnyCutOfTheRowsGivesTheSameMaskAndTheMeanIsKept) {
  CpuTeam team;
  constexpr int64_t kRows = 64, kColumns = 321;
  TestTensor x(DType::kF32, kRows, kColumns), whole(DType::kF32, kRows, kColumns), cut(DType::kF32, kRows, kColumns);
  x.randomize(1, 0.0, 1.0);  // ones
  const TestTensor places = places_from(0, kRows);
  const auto run_rows = [&](const TestTensor& y, int64_t begin, int64_t end) {
    cpu::run(Dropout::Forward{y.view().slice_rows(begin, end),
                              x.view().slice_rows(begin, end),
                              places.view().slice_rows(begin, end),
                              0.2,
                              {3, 4}},
             team.part());
  };
  run_rows(whole, 0, kRows);
  run_rows(cut, 40, kRows);
  run_rows(cut, 0, 1);
  run_rows(cut, 1, 40);
  EXPECT_TRUE(cut.has_bits_of(whole));

  double sum = 0;
  for (int64_t row = 0; row < kRows; ++row) {
    for (int64_t column = 0; column < kColumns; ++column) {
      ASSERT_TRUE(whole.at(row, column) == 0 || whole.at(row, column) == 1.25);
      sum += whole.at(row, column);
    }
  }
  // 20544 draws: the mean's standard deviation is 0.5 / sqrt(20544) = 0.0035.
  EXPECT_NEAR(sum / (kRows * kColumns), 1.0, 0.015);
}

TEST(DropoutOnCpu, WorksInPlaceAndKeepsEverythingAtZero) {
  CpuTeam team;
  TestTensor x(DType::kBF16, 3, 50), y(DType::kBF16, 3, 50);
  x.randomize(1);
  const TestTensor before = x, places = places_from(1, 3);
  cpu::run(Dropout::Forward{y, x, places, 0.5, {1, 2}}, team.part());
  cpu::run(Dropout::Forward{x, x, places, 0.5, {1, 2}}, team.part());
  EXPECT_TRUE(x.has_bits_of(y));
  EXPECT_FALSE(x.has_bits_of(before));
  cpu::run(Dropout::Forward{y, before, places, 0.0, {1, 2}}, team.part());
  EXPECT_TRUE(y.has_bits_of(before));
}

}  // namespace
}  // namespace anneal::tests
