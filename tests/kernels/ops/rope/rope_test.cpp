#include <gtest/gtest.h>

#include "kernels/reference/reference.h"
#include "tests/kernels/ops/cpu_comparison.h"
#include "tests/kernels/ops/finite_differences.h"
#include "tests/kernels/ops/test_tensor.h"

namespace anneal::tests {
namespace {

ANNEAL_GRADIENT_TEST(Rope::Forward, Rope) {
  constexpr int64_t kHeads = 2, kHeadSize = 7, kHalf = 3;  // the seventh column of a head is passed through
  TestTensor x(DType::kF64, 4, kHeads * kHeadSize), cosine(DType::kF64, 9, kHalf), sine(DType::kF64, 9, kHalf);
  TestTensor dx(DType::kF64, 4, kHeads * kHeadSize);
  x.randomize(1);
  cosine.randomize(2);
  sine.randomize(3);
  dx.randomize(4);
  const TestTensor positions = whole_numbers<int32_t>({0, 5, 8, 2});
  const TestTensor dy = dx;
  const auto loss = [&] {
    const TestTensor turned = x;
    reference::run(Rope::Forward{
        .x = turned, .cosine = cosine, .sine = sine, .positions = positions, .heads = kHeads, .head_size = kHeadSize});
    return weighted_sum(turned, dy);
  };
  reference::run(Rope::Backward{
      .dx = dx, .cosine = cosine, .sine = sine, .positions = positions, .heads = kHeads, .head_size = kHeadSize});
  expect_gradient(x, dx, loss);
}

struct RopeTensors {
  RopeTensors(DType dtype, int64_t rows, int64_t heads_, int64_t head_size_, int64_t half, int64_t gap)
      : x(dtype, rows, heads_ * head_size_, gap),
        cosine(DType::kF32, 40, half),
        sine(DType::kF32, 40, half),
        heads(heads_),
        head_size(head_size_) {
    x.randomize(1);
    std::vector<int32_t> places;
    for (int64_t row = 0; row < rows; ++row) places.push_back(static_cast<int32_t>((7 * row + 39) % 40));
    positions = whole_numbers(places);
    for (int64_t position = 0; position < 40; ++position) {
      for (int64_t i = 0; i < half; ++i) {
        const double angle = static_cast<double>(position) * std::pow(10000.0, -static_cast<double>(i) / 32);
        cosine.set(position, i, std::cos(angle));
        sine.set(position, i, std::sin(angle));
      }
    }
  }
  Rope::Forward forward() const { return {x, cosine, sine, positions, heads, head_size}; }
  Rope::Backward backward() const { return {x, cosine, sine, positions, heads, head_size}; }
  TestTensor x, cosine, sine, positions;
  int64_t heads, head_size;
};

TEST(RopeOnCpu, IsTheReference) {
  CpuTeam one, three(3);
  for (const DType dtype : {DType::kF32, DType::kBF16}) {
    for (const int64_t rows : {1, 33}) {
      for (const int64_t head_size : {2, 8, 14, 64, 66}) {
        for (const int64_t passed : {0, 2}) {  // columns of a head that are not turned
          if (passed >= head_size) continue;
          RopeTensors expected(dtype, rows, 3, head_size, (head_size - passed) / 2, 5), actual = expected;
          RopeTensors of_team = expected, back = expected;
          reference::run(expected.forward());
          cpu::run(actual.forward(), one.part());
          cpu::run(of_team.forward(), three.whole());
          expect_close(actual.x, expected.x);
          EXPECT_TRUE(of_team.x.has_bits_of(actual.x));
          reference::run(expected.backward());
          back.x = actual.x;
          cpu::run(back.backward(), one.part());
          expect_close(back.x, expected.x, dtype == DType::kBF16 ? 4000 : 1);  // two roundings to BF16 lie between
        }
      }
    }
  }
}

TEST(RopeOnCpu, RefusesAPositionOutsideItsTables) {
  CpuTeam team;
  RopeTensors tensors(DType::kF32, 2, 1, 8, 4, 0);
  tensors.positions = whole_numbers<int32_t>({0, 40});
  EXPECT_THROW(cpu::run(tensors.forward(), team.part()), InternalError);
}

}  // namespace
}  // namespace anneal::tests
