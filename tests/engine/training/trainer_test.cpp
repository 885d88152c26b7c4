// One optimizer step, however its window is cut.

#include "engine/training/trainer.h"

#include <gtest/gtest.h>

#include "kernels/reference/reference.h"
#include "tests/engine/model/tiny_model.h"

namespace anneal::engine {
namespace {

datasets::LoadedStep step_of(const std::vector<std::vector<int32_t>>& rows, std::size_t rows_at_once) {
  datasets::LoadedStep step;
  step.steps_of_epoch = 1;
  for (std::size_t first = 0; first < rows.size(); first += rows_at_once) {
    datasets::MicroBatch& batch = step.micro_batches.emplace_back();
    for (std::size_t i = first; i < std::min(rows.size(), first + rows_at_once); ++i) {
      batch.rows.push_back({static_cast<int64_t>(i), {rows[i], some_labels(rows[i])}});
      batch.tokens += static_cast<int64_t>(rows[i].size());
    }
    batch.used = batch.rows.size();
    step.tokens += batch.tokens;
  }
  step.used = step.micro_batches.size();
  step.label_tokens = label_count(rows);
  return step;
}

class TrainerTest : public ::testing::Test {
 protected:
  TrainerTest() : backend_(make_reference_backend(16)), model_(tiny_architecture(), build(), *backend_) {
    fill_randomly(*model_);
  }
  static BuildOptions build() {
    return {.types = ComputeTypes::fp64(),
            .training = {.is_training = true, .trains_weights = true},
            .max_tokens = 64,
            .max_length = 64};
  }
  std::vector<double> gradients() {
    std::vector<double> all;
    for (const Parameter* parameter : trained_parameters(*model_)) {
      for (int64_t i = 0; i < parameter->elements(); ++i) all.push_back(value_at(parameter->gradient, i));
    }
    return all;
  }
  std::vector<double> weights() {
    std::vector<double> all;
    for (const Parameter* parameter : trained_parameters(*model_)) {
      for (int64_t i = 0; i < parameter->elements(); ++i) all.push_back(value_at(parameter->value, i));
    }
    return all;
  }
  std::unique_ptr<Backend> backend_;
  PlannedModel model_;
};

// D02: micro 1 has 1 target, micro 2 has 3: the loss is the mean over the four, not the mean of two means.
TEST_F(TrainerTest, CaseD02TheLossIsAMeanOverTheStepsTargets) {
  const std::vector<std::vector<int32_t>> rows{tokens(3, 1), tokens(6, 2)};
  Trainer trainer(*model_, 0);
  const double both = trainer.step(step_of(rows, 1), {.learning_rate = 0}, 1)->loss;
  const double first = trainer.step(step_of({rows[0]}, 1), {.learning_rate = 0}, 2)->loss;
  const double second = trainer.step(step_of({rows[1]}, 1), {.learning_rate = 0}, 3)->loss;
  const auto n1 = double(label_count({rows[0]}));
  const auto n2 = double(label_count({rows[1]}));
  ASSERT_NE(n1, n2);
  EXPECT_NEAR(both, (n1 * first + n2 * second) / (n1 + n2), 1e-12);
}

// D03: a last window of one row gives that row's plain gradient, whatever the accumulation count.
TEST_F(TrainerTest, CaseD03APartialWindowIsDividedByWhatItHas) {
  const auto row = tokens(9, 5);
  Trainer trainer(*model_, 0);
  trainer.step(step_of({row}, 1), {.learning_rate = 0}, 3);
  const auto window = gradients();
  model_->zero_gradients();
  add_gradients(*model_, {row}, label_count({row}));
  EXPECT_EQ(gradients(), window);
}

TEST_F(TrainerTest, AStopBetweenMicroBatchesLeavesTheWeights) {
  const auto before = weights();
  Trainer trainer(*model_, 0);
  int asked = 0;
  EXPECT_FALSE(
      trainer.step(step_of({tokens(5, 1), tokens(5, 2)}, 1), {.learning_rate = 1}, 1, [&] { return ++asked < 2; })
          .has_value());
  EXPECT_EQ(weights(), before);
}

TEST_F(TrainerTest, ANonFiniteGradientThrowsBeforeTheUpdateAndNamesTheTensor) {
  const auto before = weights();
  Trainer trainer(*model_, 0);
  trainer.before_update = [](Model& model, int64_t) {
    set_value(trained_parameters(model)[2]->gradient, 0, std::nan(""));
  };
  try {
    trainer.step(step_of({tokens(5, 1)}, 1), {.learning_rate = 1}, 7);
    FAIL();
  } catch (const NonFiniteStep& error) {
    EXPECT_EQ(error.step(), 7);
    EXPECT_NE(std::string(error.what()).find("q_proj"), std::string::npos) << error.what();
  }
  EXPECT_EQ(weights(), before);
}

TEST_F(TrainerTest, ClippingScalesTheGradientAsTorchDoes) {
  Trainer trainer(*model_, 0);
  const auto row = tokens(9, 5);
  const auto before = weights();
  // With beta1 = beta2 = 0 and a huge epsilon the update is rate · g / epsilon: proportional to the clipped gradient.
  const UpdateOptions plain{.learning_rate = 1, .beta1 = 0, .beta2 = 0, .epsilon = 1e6};
  UpdateOptions clipped = plain;
  const double norm = trainer.step(step_of({row}, 1), {.learning_rate = 0}, 1)->gradient_norm;
  clipped.max_norm = norm / 4;
  trainer.step(step_of({row}, 1), clipped, 1);
  const auto after = weights();
  const auto gradient = gradients();
  double largest = 0;
  for (std::size_t i = 0; i < after.size(); ++i) {
    largest = std::max(largest, std::abs(gradient[i]));
    EXPECT_NEAR((before[i] - after[i]) * 1e6, gradient[i] * (norm / 4) / (norm + 1e-6),
                1e-6 * (1 + std::abs(gradient[i])));
  }
  EXPECT_GT(largest, 0.01);
}

}  // namespace
}  // namespace anneal::engine
