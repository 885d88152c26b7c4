#include "engine/training/trainer.h"

#include <cmath>

namespace anneal::engine {

BatchView fill_batch(Model& model, const datasets::MicroBatch& rows, double loss_scale, int64_t place) {
  BatchMemory& memory = model.batch_memory();
  memory.clear();
  for (std::size_t i = 0; i < rows.used; ++i) {
    const datasets::CachedRow& row = rows.rows[i].content;
    memory.add({.ids = row.ids, .labels = row.labels}, loss_scale, place + memory.tokens());
  }
  return memory.view(std::min(model.options().max_length, model.options().max_tokens));
}

std::optional<StepResult> Trainer::step(const datasets::LoadedStep& data, const UpdateOptions& options, int64_t step,
                                        const std::function<bool()>& may_go_on) {
  ensure(data.label_tokens > 0, "a step without label tokens");
  model_.zero_gradients();
  // The loss is a mean over the label tokens of the whole step, however they are cut into micro-batches.
  const double loss_scale = 1.0 / static_cast<double>(data.label_tokens);
  double loss_sum = 0;
  int64_t place = 0;
  for (std::size_t i = 0; i < data.used; ++i) {
    if (may_go_on && !may_go_on()) return std::nullopt;
    const BatchView batch = fill_batch(model_, data.micro_batches[i], loss_scale, place);
    loss_sum += model_.forward_backward(batch, {seed_, static_cast<uint64_t>(step)});
    place += batch.tokens;
  }
  if (before_update) before_update(model_, step);
  const StepResult result{loss_sum * loss_scale, gradient_norm(model_)};
  if (!std::isfinite(result.loss) || !std::isfinite(result.gradient_norm)) {
    const std::string where = non_finite_gradient(model_);
    throw NonFiniteStep(step,
                        fmt::format("step {}: {} is not finite{}. The weights are as they were after step {}; lower "
                                    "learning_rate or set max_grad_norm, then resume.",
                                    step, std::isfinite(result.loss) ? "a gradient" : "the loss",
                                    where.empty() ? "" : fmt::format(" (first in \"{}\")", where), step - 1));
  }
  update_parameters(model_, options, result.gradient_norm, step);
  return result;
}

}  // namespace anneal::engine
