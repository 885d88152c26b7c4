#include "engine/model/plan.h"

#include "kernels/dry/dry.h"

namespace anneal::engine {
namespace {

// Every op that the model will ever run, so that the largest scratch is known.
void run_dry(Model& model, const BuildOptions& options) {
  BatchView batch{.tokens = options.max_tokens, .max_length = std::min(options.max_tokens, options.max_length)};
  const auto tensor = [&](DType type) { return Tensor(nullptr, type, {options.max_tokens}); };
  batch.ids = batch.positions = batch.targets = tensor(DType::kI32);
  batch.row_weight = tensor(options.types.master);
  batch.places = tensor(DType::kI64);
  if (options.training.is_training) {
    model.forward_backward(batch, {});
  } else if (options.cache_length > 0) {
    model.append(batch, std::min<int64_t>(options.logit_rows, options.max_tokens));
    model.shorten_cache(0);
  }
  if (options.logit_rows > 0 && !options.training.is_training && options.cache_length == 0) {
    model.logits(batch, 0, std::min(options.logit_rows, options.max_tokens));
  }
}

}  // namespace

ModelPlan plan_model(const Architecture& architecture, const BuildOptions& options, const Backend& backend) {
  DryBackend dry(backend);
  Arena arena;
  Model model(architecture, options, dry, arena);
  run_dry(model, options);
  ModelPlan plan;
  plan.operations = dry.operations();
  if (options.cache_length == 0) {
    // Evaluation has ops of its own and never needs more rows than training.
    BatchView batch{.tokens = options.max_tokens, .max_length = std::min(options.max_tokens, options.max_length)};
    batch.ids = batch.positions = batch.targets = Tensor(nullptr, DType::kI32, {options.max_tokens});
    model.evaluate(batch);
  }
  if (options.training.is_training) {
    // The optimizer's ops.
    Tensor result(nullptr, DType::kF64, {1});
    for (const Parameter& parameter : model.parameters()) {
      if (!parameter.is_trained()) continue;
      plan.trained_elements += parameter.elements();
      dry.run(SquaredNorm::Forward{.result = result, .x = parameter.gradient});
    }
  }
  plan.scratch_per_worker = dry.scratch_bytes_per_worker();
  if (plan.scratch_per_worker > 0) arena.take("workspace", DType::kU8, {backend.threads(), plan.scratch_per_worker});
  plan.bytes = arena.by_label();
  plan.total_bytes = arena.used();
  return plan;
}

PlannedModel::PlannedModel(const Architecture& architecture, const BuildOptions& options, Backend& backend)
    : plan_(plan_model(architecture, options, backend)), arena_(plan_.total_bytes) {
  model_ = std::make_unique<Model>(architecture, options, backend, arena_);
  if (plan_.scratch_per_worker > 0) {
    backend.use_scratch(arena_.take("workspace", DType::kU8, {backend.threads(), plan_.scratch_per_worker}));
  }
  ensure(arena_.used() == plan_.total_bytes, "the arena is not what was planned");
}

}  // namespace anneal::engine
