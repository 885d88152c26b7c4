#include "engine/training/optimizer_step.h"

#include <cmath>

namespace anneal::engine {

double gradient_norm(Model& model) {
  double sum = 0;
  const Tensor result(&sum, DType::kF64, {1});
  for (const Parameter& parameter : model.parameters()) {
    if (parameter.is_trained()) model.backend().run(SquaredNorm::Forward{.result = result, .x = parameter.gradient});
  }
  return std::sqrt(sum);
}

std::string non_finite_gradient(Model& model) {
  for (const Parameter& parameter : model.parameters()) {
    if (!parameter.is_trained()) continue;
    double sum = 0;
    model.backend().run(SquaredNorm::Forward{.result = Tensor(&sum, DType::kF64, {1}), .x = parameter.gradient});
    if (!std::isfinite(sum)) return parameter.name;
  }
  return {};
}

void update_parameters(Model& model, const UpdateOptions& options, double norm, int64_t step) {
  const double clip = options.max_norm > 0 ? std::min(1.0, options.max_norm / (norm + 1e-6)) : 1.0;
  const auto flat = [](const Tensor& tensor) {
    return tensor.exists() ? tensor.reshape({tensor.elements()}) : Tensor();
  };
  for (const Parameter& parameter : model.parameters()) {
    if (!parameter.is_trained()) continue;
    model.backend().run(
        AdamW::Update{.parameter = flat(parameter.value),
                      .gradient = flat(parameter.gradient),
                      .first_moment = flat(parameter.first_moment),
                      .second_moment = flat(parameter.second_moment),
                      .copy = flat(parameter.copy),
                      .learning_rate = options.learning_rate,
                      .beta1 = options.beta1,
                      .beta2 = options.beta2,
                      .epsilon = options.epsilon,
                      .weight_decay = parameter.is_norm && !options.decays_norms ? 0 : options.weight_decay,
                      .gradient_scale = clip,
                      .step = step});
  }
  model.prepare();
}

}  // namespace anneal::engine
