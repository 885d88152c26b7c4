#include "engine/recipe/learning_rate.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace anneal::engine {
namespace {

// From 1 at progress 0 to 0 at progress 1.
double half_cosine(double progress) { return 0.5 * (1 + std::cos(std::numbers::pi * progress)); }

double share(int64_t part, int64_t whole) {
  return static_cast<double>(part) / static_cast<double>(std::max<int64_t>(1, whole));
}

// Factor of the peak after `done` finished steps.
double factor_after(const LearningRateSchedule& schedule, int64_t done) {
  if (done < schedule.warmup_steps) return share(done, schedule.warmup_steps);
  const int64_t after_warmup = schedule.total_steps - schedule.warmup_steps;
  const double progress = share(done - schedule.warmup_steps, after_warmup);
  switch (schedule.shape) {
    case LrScheduler::kConstant:
      return 1;
    case LrScheduler::kLinear:
      return std::max(0.0, 1 - progress);
    // Past the end transformers' cosine would rise again; nothing is trained there, so it stays at 0.
    case LrScheduler::kCosine:
      return progress < 1 ? half_cosine(progress) : 0;
    case LrScheduler::kWsd: {
      const int64_t decayed = done - (schedule.total_steps - schedule.decay_steps);
      if (decayed < 0) return 1;
      return decayed < schedule.decay_steps ? half_cosine(share(decayed, schedule.decay_steps)) : 0;
    }
  }
  throw InternalError("internal fault: a schedule of no shape");
}

}  // namespace

LearningRateSchedule schedule_of(const Recipe& recipe, int64_t total_steps) {
  LearningRateSchedule schedule;
  schedule.shape = recipe.schedule.lr_scheduler;
  schedule.peak = learning_rate_of(recipe);
  schedule.total_steps = total_steps;
  const double ratio = recipe.schedule.warmup_ratio.value_or(0.03);
  schedule.warmup_steps = recipe.schedule.warmup_steps.value_or(
      static_cast<int64_t>(std::ceil(ratio * static_cast<double>(total_steps) * (1 - 1e-12))));
  if (schedule.shape == LrScheduler::kWsd) {
    const int64_t left = std::max<int64_t>(0, total_steps - schedule.warmup_steps);
    schedule.decay_steps = std::min(left, (total_steps + 4) / 5);
  }
  return schedule;
}

double learning_rate_at(const LearningRateSchedule& schedule, int64_t step) {
  ensure(step >= 1, "steps count from 1");
  return schedule.peak * factor_after(schedule, step - 1);
}

}  // namespace anneal::engine
