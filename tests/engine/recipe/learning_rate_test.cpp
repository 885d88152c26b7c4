#include "engine/recipe/learning_rate.h"

#include <gtest/gtest.h>

#include <vector>

namespace anneal::engine {
namespace {

std::vector<double> rates(const LearningRateSchedule& schedule) {
  std::vector<double> all;
  for (int64_t step = 1; step <= schedule.total_steps; ++step) all.push_back(learning_rate_at(schedule, step));
  return all;
}

void expect_rates(const LearningRateSchedule& schedule, const std::vector<double>& expected) {
  const std::vector<double> actual = rates(schedule);
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    EXPECT_NEAR(actual[i], expected[i], 1e-15 * schedule.peak) << "step " << i + 1;
  }
}

// get_cosine_schedule_with_warmup: rate * 0.5 * (1 + cos(pi * (s - w) / (T - w))), s finished steps.
TEST(LearningRate, CaseE02CosineIsThatOfTransformers) {
  expect_rates(
      {.shape = LrScheduler::kCosine, .peak = 2e-4, .total_steps = 10, .warmup_steps = 3},
      {0.0, 6.666666666666667e-05, 0.00013333333333333334, 0.0002, 0.0001900968867902419, 0.00016234898018587337,
       0.00012225209339563145, 7.774790660436858e-05, 3.7651019814126654e-05, 9.903113209758096e-06});
}

TEST(LearningRate, CaseE02LinearIsThatOfTransformers) {
  expect_rates({.shape = LrScheduler::kLinear, .peak = 1e-3, .total_steps = 8, .warmup_steps = 2},
               {0.0, 0.0005, 0.001, 0.0008333333333333334, 0.0006666666666666666, 0.0005, 0.0003333333333333333,
                0.00016666666666666666});
}

TEST(LearningRate, CaseE02ConstantIsThatOfTransformers) {
  expect_rates({.shape = LrScheduler::kConstant, .peak = 1, .total_steps = 6, .warmup_steps = 4},
               {0, 0.25, 0.5, 0.75, 1, 1});
  expect_rates({.shape = LrScheduler::kConstant, .peak = 3e-5, .total_steps = 2, .warmup_steps = 0}, {3e-5, 3e-5});
}

// get_wsd_schedule(num_warmup_steps=2, num_stable_steps=14, num_decay_steps=4)
TEST(LearningRate, CaseE02WsdIsThatOfTransformers) {
  expect_rates({.shape = LrScheduler::kWsd, .peak = 1, .total_steps = 20, .warmup_steps = 2, .decay_steps = 4},
               {0, 0.5, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0.8535533905932737, 0.5, 0.14644660940672627});
}

// Nothing is kept between steps: a run that stops after step 14 and goes on sees the rates of one that did not.
TEST(LearningRate, CaseE02GoesOnWhereItStopped) {
  for (const auto shape : {LrScheduler::kCosine, LrScheduler::kLinear, LrScheduler::kConstant, LrScheduler::kWsd}) {
    const LearningRateSchedule schedule{
        .shape = shape, .peak = 2e-4, .total_steps = 30, .warmup_steps = 5, .decay_steps = 6};
    const std::vector<double> whole = rates(schedule);
    for (int64_t step = 30; step > 14; --step)
      EXPECT_EQ(learning_rate_at(schedule, step), whole[static_cast<std::size_t>(step - 1)]);
  }
}

TEST(LearningRate, StaysAtZeroPastTheEnd) {
  for (const auto shape : {LrScheduler::kCosine, LrScheduler::kLinear, LrScheduler::kWsd}) {
    const LearningRateSchedule schedule{
        .shape = shape, .peak = 1, .total_steps = 4, .warmup_steps = 1, .decay_steps = 1};
    EXPECT_EQ(learning_rate_at(schedule, 5), 0) << choice_name(shape);
    EXPECT_EQ(learning_rate_at(schedule, 400), 0) << choice_name(shape);
  }
}

TEST(LearningRate, WarmUpLongerThanTheRunOnlyRises) {
  expect_rates({.shape = LrScheduler::kCosine, .peak = 1, .total_steps = 2, .warmup_steps = 4}, {0, 0.25});
}

TEST(LearningRate, ScheduleFollowsTheRecipe) {
  Recipe recipe;
  EXPECT_EQ(schedule_of(recipe, 100).warmup_steps, 3);  // 0.03
  EXPECT_EQ(schedule_of(recipe, 101).warmup_steps, 4);  // rounded up, as transformers does
  EXPECT_EQ(schedule_of(recipe, 100).peak, 2e-4);
  recipe.schedule.warmup_ratio = 0.1;
  EXPECT_EQ(schedule_of(recipe, 30).warmup_steps, 3);  // 0.1 * 30 is 3.0000000000000004 in double
  recipe.schedule.warmup_steps = 7;
  EXPECT_EQ(schedule_of(recipe, 30).warmup_steps, 7);
  recipe.schedule.warmup_steps = 0;
  EXPECT_EQ(schedule_of(recipe, 30).warmup_steps, 0);
  recipe.schedule.lr_scheduler = LrScheduler::kWsd;
  EXPECT_EQ(schedule_of(recipe, 31).decay_steps, 7);
  recipe.schedule.warmup_steps = 30;
  EXPECT_EQ(schedule_of(recipe, 31).decay_steps, 1);
}

}  // namespace
}  // namespace anneal::engine
