// The whole model's gradients: against finite differences in double, however a step is cut, whatever is recomputed.

#include <gtest/gtest.h>

#include <cmath>

#include "engine/training/optimizer_step.h"
#include "kernels/cpu/cpu.h"
#include "kernels/reference/reference.h"
#include "tests/engine/model/golden_model.h"
#include "tests/engine/model/tiny_model.h"

namespace anneal::engine {
namespace {

const TrainingPlan kFull{.is_training = true, .trains_weights = true, .lora = {}};
const TrainingPlan kLora{.is_training = true, .lora = {.rank = 3, .alpha = 6, .dropout = 0.25, .targets = {}}};
const TrainingPlan kLoraOfSome{.is_training = true,
                               .lora = {.rank = 2, .alpha = 4, .use_rslora = true, .targets = {"v_proj", "down_proj"}}};

using Rows = std::vector<std::vector<int32_t>>;

struct Built {
  std::unique_ptr<Backend> backend;
  std::unique_ptr<PlannedModel> planned;
  Model& model() { return **planned; }
};

Built build(std::unique_ptr<Backend> backend, const TrainingPlan& plan, ComputeTypes types,
            Rung recompute = Rung::kNone, TinyOptions tiny = {}) {
  Built built{std::move(backend), nullptr};
  built.planned = std::make_unique<PlannedModel>(tiny_architecture(tiny),
                                                 BuildOptions{.types = types,
                                                              .training = plan,
                                                              .max_tokens = 64,
                                                              .max_length = 64,
                                                              .recompute = recompute,
                                                              .logit_rows = 64},
                                                 *built.backend);
  fill_randomly(built.model());
  return built;
}

double relative_l2(const std::vector<double>& a, const std::vector<double>& b) {
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference += (a[i] - b[i]) * (a[i] - b[i]);
    size += b[i] * b[i];
  }
  return std::sqrt(difference / size);
}

// Central differences of a few elements of every trained tensor.
void expect_finite_differences(const TrainingPlan& plan, TinyOptions tiny) {
  // Parts of 4 rows, so that sums over parts are taken.
  Built built = build(make_reference_backend(4), plan, ComputeTypes::fp64(), Rung::kNone, tiny);
  Model& model = built.model();
  const Rows rows{tokens(9, 1), tokens(5, 2), tokens(1, 3), tokens(7, 4)};
  const int64_t labels = label_count(rows);
  const RandomKey key{.seed = 3, .step = 5};
  model.zero_gradients();
  add_gradients(model, rows, labels, 0, key);
  std::vector<std::pair<const Parameter*, std::vector<double>>> expected;
  for (const Parameter* parameter : trained_parameters(model)) {
    auto& values = expected.emplace_back(parameter, std::vector<double>{}).second;
    for (int64_t i = 0; i < parameter->elements(); ++i) values.push_back(value_at(parameter->gradient, i));
  }
  for (const auto& [parameter, gradient] : expected) {
    for (int64_t sample = 0; sample < 5; ++sample) {
      const int64_t i = (sample * 7919 + 3) % parameter->elements();
      const double value = value_at(parameter->value, i);
      constexpr double kStep = 1e-5;
      set_value(parameter->value, i, value + kStep);
      const double above = add_gradients(model, rows, labels, 0, key);
      set_value(parameter->value, i, value - kStep);
      const double below = add_gradients(model, rows, labels, 0, key);
      set_value(parameter->value, i, value);
      EXPECT_NEAR(gradient[static_cast<std::size_t>(i)], (above - below) / (2 * kStep), 1e-7)
          << parameter->name << "[" << i << "]";
    }
  }
}

TEST(ModelGradient, FullIsThatOfFiniteDifferences) { expect_finite_differences(kFull, {}); }
TEST(ModelGradient, UntiedWithBiasesIsThatOfFiniteDifferences) {
  expect_finite_differences(kFull, {.is_tied = false, .has_biases = true});
}
TEST(ModelGradient, LoraWithDropoutIsThatOfFiniteDifferences) { expect_finite_differences(kLora, {}); }
TEST(ModelGradient, LoraOfSomeModulesIsThatOfFiniteDifferences) { expect_finite_differences(kLoraOfSome, {}); }

struct Choice {
  const char* name;
  std::unique_ptr<Backend> (*make)();
  ComputeTypes types;
  double tolerance;  // of sums in another order
};
const Choice kChoices[] = {
    {"reference_double", [] { return make_reference_backend(16); }, ComputeTypes::fp64(), 1e-12},
    {"cpu_fp32", [] { return make_cpu_backend(2); }, ComputeTypes::fp32(), 1e-5},
    {"reference_fp32", [] { return make_reference_backend(16); }, ComputeTypes::fp32(), 1e-5},
};
class ModelGradientOn : public ::testing::TestWithParam<Choice> {};

// D02: the same gradient for 4x1, 2x2, 1x4.
TEST_P(ModelGradientOn, CaseD02IsTheSameHoweverTheStepIsCut) {
  const Rows rows{tokens(16, 1), tokens(3, 2), tokens(12, 3), tokens(9, 4)};
  const int64_t labels = label_count(rows);
  for (const TrainingPlan& plan : {kFull, kLora}) {
    Built built = build(GetParam().make(), plan, GetParam().types);
    std::vector<std::vector<double>> gradients;
    std::vector<double> losses;
    for (const std::size_t rows_at_once : {4, 2, 1}) {
      built.model().zero_gradients();
      double loss = 0;
      int64_t place = 0;
      for (std::size_t first = 0; first < rows.size(); first += rows_at_once) {
        const Rows some(rows.begin() + static_cast<std::ptrdiff_t>(first),
                        rows.begin() + static_cast<std::ptrdiff_t>(first + rows_at_once));
        loss += add_gradients(built.model(), some, labels, place);
        for (const auto& row : some) place += static_cast<int64_t>(row.size());
      }
      losses.push_back(loss);
      gradients.push_back(gradients_of(built.model()));
    }
    for (std::size_t i = 1; i < 3; ++i) {
      EXPECT_LT(relative_l2(gradients[i], gradients[0]), GetParam().tolerance);
      EXPECT_NEAR(losses[i] / losses[0], 1, GetParam().tolerance);
    }
  }
}

TEST_P(ModelGradientOn, RecomputationChangesNoBit) {
  const Rows rows{tokens(30, 1), tokens(3, 2), tokens(12, 3)};
  for (const TrainingPlan& plan : {kFull, kLora, kLoraOfSome}) {
    std::vector<double> expected;
    for (const Rung rung :
         {Rung::kNone, Rung::kActivation, Rung::kNorm, Rung::kFeedForward, Rung::kAttention, Rung::kBlock}) {
      Built built = build(GetParam().make(), plan, GetParam().types, rung);
      built.model().zero_gradients();
      add_gradients(built.model(), rows, label_count(rows));
      const auto gradients = gradients_of(built.model());
      if (expected.empty()) expected = gradients;
      EXPECT_EQ(gradients, expected) << name_of(rung);
    }
  }
}

TEST_P(ModelGradientOn, RecomputationNeedsLessMemoryRungByRung) {
  int64_t before = 0;
  for (const Rung rung :
       {Rung::kNone, Rung::kActivation, Rung::kNorm, Rung::kFeedForward, Rung::kAttention, Rung::kBlock}) {
    const auto backend = GetParam().make();
    const ModelPlan plan = plan_model(
        tiny_architecture({.layers = 12}),
        {.types = GetParam().types, .training = kLora, .max_tokens = 64, .max_length = 64, .recompute = rung},
        *backend);
    if (before > 0) {
      EXPECT_LT(plan.total_bytes, before) << name_of(rung);
    }
    before = plan.total_bytes;
  }
}

// D09: a token changed in one document leaves the others' logits bit-identical; a document alone gives the same.
TEST_P(ModelGradientOn, CaseD09NoDocumentSeesAnother) {
  Built built = build(GetParam().make(), {}, GetParam().types);
  Model& model = built.model();
  const auto logits_of_second = [&](const std::vector<int32_t>& first, const std::vector<int32_t>& second) {
    model.batch_memory().clear();
    if (!first.empty()) model.batch_memory().add({first, {}}, 0, 0);
    model.batch_memory().add({second, {}}, 0, 0);
    const Tensor logits = model.logits(model.batch_memory().view(64), static_cast<int64_t>(first.size()),
                                       static_cast<int64_t>(second.size()));
    std::vector<double> values;
    for (int64_t i = 0; i < logits.elements(); ++i) values.push_back(value_at(logits, i));
    return values;
  };
  std::vector<int32_t> first = tokens(13, 5);
  const std::vector<int32_t> second = tokens(20, 6);
  const auto packed = logits_of_second(first, second);
  first[7] = (first[7] + 1) % 37;
  EXPECT_EQ(logits_of_second(first, second), packed);
  const auto alone = logits_of_second({}, second);
  for (std::size_t i = 0; i < alone.size(); ++i) EXPECT_NEAR(alone[i], packed[i], 1e-5);
}

// D01: a row without labels adds nothing and breaks nothing.
TEST_P(ModelGradientOn, CaseD01ARowWithoutLabelsAddsNothing) {
  Built built = build(GetParam().make(), kFull, GetParam().types);
  Model& model = built.model();
  const auto losses_of = [&](bool with_unlabelled) {
    model.zero_gradients();
    model.batch_memory().clear();
    const auto one = tokens(8, 1);
    const auto two = tokens(9, 2);
    const std::vector<int32_t> none(9, kNoTarget);
    model.batch_memory().add({one, one}, 0.1, 0);
    if (with_unlabelled) model.batch_memory().add({two, none}, 0.1, 0);
    return model.forward_backward(model.batch_memory().view(64), {});
  };
  const double with = losses_of(true);
  const auto gradients = gradients_of(model);
  EXPECT_NEAR(with, losses_of(false), 1e-6);
  EXPECT_LT(relative_l2(gradients, gradients_of(model)), 1e-6);
  // Nothing but such rows: loss 0, no NaN.
  model.zero_gradients();
  model.batch_memory().clear();
  const auto ids = tokens(5, 1);
  model.batch_memory().add({ids, std::vector<int32_t>(5, kNoTarget)}, 0.1, 0);
  EXPECT_EQ(model.forward_backward(model.batch_memory().view(64), {}), 0);
  for (const double value : gradients_of(model)) ASSERT_EQ(value, 0);
}

// The cached sequence gives the logits of the whole one.
TEST_P(ModelGradientOn, GeneratingWithTheCacheIsTheWholeSequence) {
  const auto backend = GetParam().make();
  const BuildOptions options{.types = GetParam().types,
                             .training = {},
                             .max_tokens = 16,
                             .max_length = 64,
                             .cache_length = 40,
                             .logit_rows = 16};
  PlannedModel cached(tiny_architecture(), options, *backend);
  fill_randomly(*cached);
  const std::vector<int32_t> ids = tokens(30, 9);
  std::vector<double> in_pieces;
  std::size_t at = 0;
  for (const std::size_t count : {16, 1, 1, 9, 3}) {
    cached->batch_memory().clear();
    cached->batch_memory().add_continued(std::span(ids).subspan(at, count), static_cast<int64_t>(at));
    const Tensor logits = cached->append(cached->batch_memory().view(64), static_cast<int64_t>(count));
    for (int64_t i = 0; i < logits.elements(); ++i) in_pieces.push_back(value_at(logits, i));
    at += count;
  }
  Built whole = build(GetParam().make(), {}, GetParam().types);
  whole.model().batch_memory().clear();
  whole.model().batch_memory().add({ids, {}}, 0, 0);
  const Tensor logits = whole.model().logits(whole.model().batch_memory().view(64), 0, 30);
  for (int64_t i = 0; i < logits.elements(); ++i)
    ASSERT_NEAR(value_at(logits, i), in_pieces[static_cast<std::size_t>(i)], 1e-5);
}

INSTANTIATE_TEST_SUITE_P(Backends, ModelGradientOn, ::testing::ValuesIn(kChoices),
                         [](const auto& choice) { return std::string(choice.param.name); });

}  // namespace
}  // namespace anneal::engine
