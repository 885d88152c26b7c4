#include "kernels/timed/timed.h"

#include <gtest/gtest.h>

#include "kernels/reference/reference.h"

namespace anneal {
namespace {

TEST(TimedBackend, CountsWhatTheOtherBackendComputes) {
  TimedBackend timed(make_reference_backend(4));
  std::vector<float> x{1, 2, 3, 4}, weight{1, 0, 0, 1, 1, 1}, y(6);
  const Linear::Forward product{
      .y = Tensor(y.data(), DType::kF32, {2, 3}),
      .x = Tensor(x.data(), DType::kF32, {2, 2}),
      .weight = {.plain = Tensor(weight.data(), DType::kF32, {3, 2}), .outputs = 3, .inputs = 2}};
  timed.run(product);
  timed.for_each_part(2, [&](int64_t, Stream stream) { timed.run(product, stream); });
  EXPECT_EQ(y, (std::vector<float>{1, 2, 3, 3, 4, 7}));

  const auto times = timed.times();
  ASSERT_EQ(times.size(), 1u);
  EXPECT_EQ(times[0].name, "Linear::Forward");
  EXPECT_EQ(times[0].calls, 3);
  EXPECT_EQ(times[0].operations, 3 * 2.0 * 2 * 3 * 2);
  EXPECT_GT(times[0].thread_seconds, 0);

  timed.clear();
  EXPECT_TRUE(timed.times().empty());
}

}  // namespace
}  // namespace anneal
