#pragma once
// The learning rate as a pure function of the step: nothing is kept between steps, so a resumed run goes on exactly
// where it stopped. The shapes are those of transformers' get_scheduler(), with its defaults.

#include <cstdint>

#include "engine/recipe/recipe.h"

namespace anneal::engine {

struct LearningRateSchedule {
  LrScheduler shape = LrScheduler::kCosine;
  double peak = 0;
  int64_t total_steps = 0;
  int64_t warmup_steps = 0;  // linear from 0
  int64_t decay_steps = 0;   // wsd only: the last steps, in which the rate falls to 0 along half a cosine
};

// warmup_steps, or ceil(warmup_ratio * total_steps). Wsd decays over the last fifth (at most what warm-up leaves).
LearningRateSchedule schedule_of(const Recipe& recipe, int64_t total_steps);

// The rate of step `step`, counted as people see it: from 1 for the first optimizer step. As in transformers, step n
// takes the factor of n - 1 finished ones: with warm-up the first step's rate is 0, and the last step's is not.
double learning_rate_at(const LearningRateSchedule& schedule, int64_t step);

}  // namespace anneal::engine
