// Numbers of a real pretrained model against another program's: logits, loss, every gradient, ten steps of training.

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "engine/training/optimizer_step.h"
#include "tests/engine/model/golden_model.h"

namespace anneal::engine {
namespace {

using Rows = std::vector<std::vector<int32_t>>;

struct BackendChoice {
  const char* name;
  std::unique_ptr<Backend> (*make)();
};

class GoldenTest : public ::testing::TestWithParam<BackendChoice> {
 protected:
  void SetUp() override { ANNEAL_NEEDS_SHARED_DATA("models/stories260K/golden_training.json"); }

  static LoadedModel load(const TrainingPlan& plan, ComputeTypes types = ComputeTypes::fp32()) {
    return load_golden_model(
        GetParam().make(),
        {.types = types, .training = plan, .max_tokens = 4 * 129, .max_length = 512, .logit_rows = 1});
  }
  static Rows batch() { return golden("golden_training.json").at("batch_ids").get<Rows>(); }
  static double loss_and_gradients(Model& model, const Rows& rows) {
    model.zero_gradients();
    model.batch_memory().clear();
    int64_t labels = 0;
    for (const auto& row : rows) labels += static_cast<int64_t>(row.size()) - 1;
    for (const auto& row : rows) model.batch_memory().add({row, row}, 1.0 / static_cast<double>(labels), 0);
    return model.forward_backward(model.batch_memory().view(512), {}) / static_cast<double>(labels);
  }
  static double norm(const Tensor& tensor) {
    double sum = 0;
    for (int64_t i = 0; i < tensor.elements(); ++i)
      sum += double(tensor.as<float>()[i]) * double(tensor.as<float>()[i]);
    return std::sqrt(sum);
  }
};

TEST_P(GoldenTest, LogitsOfTheLastPosition) {
  LoadedModel loaded = load({});
  Model& model = loaded.model();
  const Json golden_logits = golden("golden_logits.json");
  for (const Json& prompt : golden_logits.at("cases")) {
    const auto ids = prompt.at("ids").get<std::vector<int32_t>>();
    model.batch_memory().clear();
    model.batch_memory().add({ids, ids}, 1, 0);
    const BatchView batch = model.batch_memory().view(512);
    const auto count = static_cast<int64_t>(ids.size());
    const Tensor logits = model.logits(batch, count - 1, 1);
    const auto expected = prompt.at("last_logits").get<std::vector<double>>();
    ASSERT_EQ(logits.columns(), static_cast<int64_t>(expected.size()));
    for (std::size_t i = 0; i < expected.size(); ++i) ASSERT_NEAR(logits.as<float>()[i], expected[i], 1e-4);
  }
}

TEST_P(GoldenTest, LossAndEveryGradientOfTheFirstStep) {
  LoadedModel loaded = load({.is_training = true, .trains_weights = true, .lora = {}});
  const Json json = golden("golden_training.json");
  EXPECT_NEAR(loss_and_gradients(loaded.model(), batch()),
              json.at("full_finetune").at("steps")[0].at("loss").get<double>(), 1e-4);
  const Json& norms = json.at("step0_grad_l2");
  std::size_t seen = 0;
  for (const Parameter& parameter : loaded.model().parameters()) {
    const double expected = norms.at(parameter.name).get<double>();
    EXPECT_NEAR(norm(parameter.gradient) / expected, 1.0, 1e-4) << parameter.name;
    ++seen;
    if (!json.at("step0_grad_head").contains(parameter.name)) continue;
    const auto head = json.at("step0_grad_head").at(parameter.name).get<std::vector<double>>();
    for (std::size_t i = 0; i < head.size(); ++i)
      EXPECT_NEAR(parameter.gradient.as<float>()[i], head[i], 1e-4 * expected) << parameter.name;
  }
  EXPECT_EQ(seen, norms.size());
}

// The plain reference takes half a minute for ten steps; its first one is tested above.
TEST_P(GoldenTest, TenStepsOfFullFineTuning) {
  if (GetParam().name == std::string("reference")) return;
  LoadedModel loaded = load({.is_training = true, .trains_weights = true, .lora = {}});
  const Json json = golden("golden_training.json").at("full_finetune");
  const UpdateOptions options{.learning_rate = 1e-3, .weight_decay = 0.01, .decays_norms = true};
  for (std::size_t i = 0; i < 10; ++i) {
    const double loss = loss_and_gradients(loaded.model(), batch());
    const double gradient = gradient_norm(loaded.model());
    EXPECT_NEAR(loss / json.at("steps")[i].at("loss").get<double>(), 1, 1e-4) << i;
    EXPECT_NEAR(gradient / json.at("steps")[i].at("grad_norm").get<double>(), 1, 1e-3) << i;
    update_parameters(loaded.model(), options, gradient, static_cast<int64_t>(i) + 1);
  }
  for (const Parameter& parameter : loaded.model().parameters()) {
    EXPECT_NEAR(norm(parameter.value) / json.at("final_param_l2").at(parameter.name).get<double>(), 1, 1e-4)
        << parameter.name;
  }
}

TEST_P(GoldenTest, TenStepsOfLora) {
  if (GetParam().name == std::string("reference")) return;
  LoadedModel loaded = load({.is_training = true, .lora = {.rank = 4, .alpha = 8, .targets = {"q_proj", "v_proj"}}});
  for (const Parameter* parameter : adapter_parameters(loaded.model())) {
    if (!parameter->name.ends_with("lora_A.weight")) continue;
    for (int64_t i = 0; i < parameter->elements(); ++i)
      parameter->value.as<float>()[i] = static_cast<float>(0.02 * std::sin(1.0 + double(i)));
  }
  const Json json = golden("golden_training.json").at("lora");
  for (std::size_t i = 0; i < 10; ++i) {
    const double loss = loss_and_gradients(loaded.model(), batch());
    const double gradient = gradient_norm(loaded.model());
    EXPECT_NEAR(loss / json.at("steps")[i].at("loss").get<double>(), 1, 1e-4) << i;
    EXPECT_NEAR(gradient / json.at("steps")[i].at("grad_norm").get<double>(), 1, 1e-3) << i;
    update_parameters(loaded.model(), {.learning_rate = 1e-2}, gradient, static_cast<int64_t>(i) + 1);
  }
  for (const Parameter* parameter : adapter_parameters(loaded.model())) {
    const std::string module = parameter->name.substr(std::string("base_model.model.").size());
    const bool is_a = module.ends_with(".lora_A.weight");
    const Json& norms = json.at(is_a ? "final_A_l2" : "final_B_l2");
    const double expected =
        norms.at(module.substr(0, module.size() - std::string(".lora_A.weight").size())).get<double>();
    EXPECT_NEAR(norm(parameter->value) / expected, 1, 1e-3) << parameter->name;
  }
}

// BF16 values in products and between ops: losses within 2 %, every gradient's direction that of FP32.
TEST_P(GoldenTest, Bfloat16FollowsFp32) {
  if (GetParam().name == std::string("reference")) return;
  const TrainingPlan plan{.is_training = true, .trains_weights = true};
  LoadedModel exact = load(plan);
  LoadedModel rounded = load(plan, ComputeTypes::bf16());
  const Json json = golden("golden_training.json").at("full_finetune");
  const UpdateOptions options{.learning_rate = 1e-3, .weight_decay = 0.01, .decays_norms = true};
  for (std::size_t i = 0; i < 10; ++i) {
    const double loss = loss_and_gradients(rounded.model(), batch());
    EXPECT_NEAR(loss / json.at("steps")[i].at("loss").get<double>(), 1, 0.02) << i;
    if (i == 0) {
      loss_and_gradients(exact.model(), batch());
      for (std::size_t p = 0; p < exact.model().parameters().size(); ++p) {
        const Parameter& a = exact.model().parameters()[p];
        const Parameter& b = rounded.model().parameters()[p];
        double product = 0;
        for (int64_t k = 0; k < a.elements(); ++k)
          product += double(a.gradient.as<float>()[k]) * double(b.gradient.as<float>()[k]);
        EXPECT_GT(product / (norm(a.gradient) * norm(b.gradient)), 0.99) << a.name;
      }
    }
    update_parameters(rounded.model(), options, gradient_norm(rounded.model()), static_cast<int64_t>(i) + 1);
  }
}

INSTANTIATE_TEST_SUITE_P(Backends, GoldenTest,
                         ::testing::Values(BackendChoice{"reference", [] { return make_reference_backend(); }},
                                           BackendChoice{"cpu", [] { return make_cpu_backend(2); }}),
                         [](const auto& choice) { return std::string(choice.param.name); });

}  // namespace
}  // namespace anneal::engine
