#include <gtest/gtest.h>

#include "kernels/core/arena.h"
#include "kernels/core/tensor.h"

namespace anneal {
namespace {

TEST(Tensor, SlicesAreViewsOfTheSameMemory) {
  float data[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
  const Tensor matrix(data, DType::kF32, {3, 4});
  const Tensor middle = matrix.slice_rows(1, 3).slice_columns(1, 3);
  EXPECT_EQ(middle.rows(), 2);
  EXPECT_EQ(middle.columns(), 2);
  EXPECT_EQ(middle.stride(), 4);
  EXPECT_FALSE(middle.is_contiguous());
  EXPECT_EQ(middle.as<float>()[0], 5);
  EXPECT_THROW((void)matrix.slice_rows(2, 4), InternalError);
  EXPECT_THROW((void)middle.as<double>(), InternalError);
}

TEST(Arena, TheDryOneCountsWhatTheRealOneTakes) {
  Arena dry;
  dry.take("weights", DType::kF32, {3, 5});
  dry.take("state", DType::kF64, {7});
  EXPECT_EQ(dry.by_label().at("weights"), 64);
  Arena real(dry.used());
  const Tensor first = real.take("weights", DType::kF32, {3, 5});
  const Tensor second = real.take("state", DType::kF64, {7});
  EXPECT_EQ(real.used(), real.capacity());
  EXPECT_NE(first.data(), second.data());
  EXPECT_EQ(second.as<double>()[6], 0.0);
  EXPECT_THROW(real.take("more", DType::kF32, {1}), InternalError);
}

}  // namespace
}  // namespace anneal
