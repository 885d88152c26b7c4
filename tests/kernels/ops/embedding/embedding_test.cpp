#include <gtest/gtest.h>

#include "kernels/reference/reference.h"
#include "tests/kernels/ops/cpu_comparison.h"
#include "tests/kernels/ops/finite_differences.h"
#include "tests/kernels/ops/test_tensor.h"

namespace anneal::tests {
namespace {

ANNEAL_GRADIENT_TEST(Embedding::Forward, Embedding) {
  TestTensor table(DType::kF64, 6, 3), y(DType::kF64, 5, 3), dy(DType::kF64, 5, 3), dtable(DType::kF64, 6, 3);
  table.randomize(1);
  dy.randomize(2);
  const TestTensor ids = whole_numbers<int32_t>({4, 0, 4, 5, 4});
  const auto loss = [&] {
    reference::run(Embedding::Forward{.y = y, .table = table, .ids = ids, .scale = 1.5});
    return weighted_sum(y, dy);
  };
  reference::run(Embedding::Backward{.dtable = dtable, .dy = dy, .ids = ids, .scale = 1.5});
  expect_gradient(table, dtable, loss);
}

TEST(EmbeddingOnCpu, ForwardIsTheReference) {
  CpuTeam one, three(3);
  const TestTensor ids = whole_numbers<int32_t>({4, 0, 4, 5, 1, 2, 0, 3, 5, 5, 2, 1, 4, 3, 0, 0, 1, 2, 3, 4, 5, 5, 4});
  for (const DType table_type : {DType::kF32, DType::kBF16}) {
    for (const DType y_type : {DType::kF32, DType::kBF16}) {
      for (const int64_t width : {1, 7, 63, 65, 172}) {
        TestTensor table(table_type, 6, width), expected(y_type, ids.view().rows(), width, 3), actual = expected;
        table.randomize(1);
        reference::run(Embedding::Forward{expected, table, ids, 13.5});
        cpu::run(Embedding::Forward{actual, table, ids, 13.5}, one.part());
        expect_close(actual, expected);
        TestTensor of_team(y_type, ids.view().rows(), width, 3);
        cpu::run(Embedding::Forward{of_team, table, ids, 13.5}, three.whole());
        EXPECT_TRUE(of_team.has_bits_of(actual));
      }
    }
  }
}

TEST(EmbeddingOnCpu, BackwardIsTheReferenceWithTheSameBitsForEveryTeam) {
  CpuTeam one, three(3);
  const TestTensor ids = whole_numbers<int32_t>({4, 0, 4, 5, 1, 2, 0, 4, 4, 4, 2, 1, 4});
  for (const DType type : {DType::kF32, DType::kBF16}) {
    for (const int64_t width : {1, 7, 63, 65, 172}) {
      TestTensor dy(type, ids.view().rows(), width, 5), expected(DType::kF32, 6, width), actual(DType::kF32, 6, width);
      dy.randomize(1);
      expected.randomize(2);
      actual.randomize(2);
      TestTensor of_team = actual;
      reference::run(Embedding::Backward{expected, dy, ids, 0.5});
      cpu::run(Embedding::Backward{actual, dy, ids, 0.5}, one.whole());
      expect_close(actual, expected);
      cpu::run(Embedding::Backward{of_team, dy, ids, 0.5}, three.whole());
      EXPECT_TRUE(of_team.has_bits_of(actual));
    }
  }
}

TEST(EmbeddingOnCpu, RefusesAnIdOutsideTheTable) {
  CpuTeam team;
  TestTensor table(DType::kF32, 6, 4), y(DType::kF32, 1, 4);
  for (const int32_t id : {6, -1}) {
    EXPECT_THROW(cpu::run(Embedding::Forward{y, table, whole_numbers<int32_t>({id})}, team.part()), InternalError);
    EXPECT_THROW(cpu::run(Embedding::Backward{table, y, whole_numbers<int32_t>({id})}, team.part()), InternalError);
  }
}

}  // namespace
}  // namespace anneal::tests
