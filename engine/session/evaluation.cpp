#include "engine/session/evaluation.h"

#include "datasets/loading/loader.h"
#include "engine/training/trainer.h"

namespace anneal::engine {

std::optional<EvaluationResult> evaluate(Model& model, const datasets::TokenCache& data,
                                         const datasets::PackingOptions& packing,
                                         const std::function<bool()>& may_go_on) {
  datasets::PackingOptions in_order = packing;
  in_order.shuffles = false;
  const datasets::EpochPlan plan(datasets::row_lengths(data), in_order, 0);
  EvaluationResult result;
  double sum = 0;
  datasets::MicroBatch batch;
  for (int64_t index = 0; index < plan.micro_batches(); ++index) {
    if (may_go_on && !may_go_on()) return std::nullopt;
    const std::span<const int64_t> rows = plan.rows(index);
    batch.used = rows.size();
    if (batch.rows.size() < batch.used) batch.rows.resize(batch.used);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      data.read(rows[i], batch.rows[i].content);
      result.label_tokens += data.label_count(rows[i]);
    }
    const BatchView view = fill_batch(model, batch, 0, 0);
    sum += model.evaluate(view);
    result.tokens += view.tokens;
    result.rows += static_cast<int64_t>(rows.size());
  }
  result.loss = result.label_tokens > 0 ? sum / static_cast<double>(result.label_tokens) : 0;
  return result;
}

}  // namespace anneal::engine
