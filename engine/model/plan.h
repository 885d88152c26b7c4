#pragma once
// What a model will need, before anything is allocated: the same code run dry.

#include "engine/model/model.h"
#include "kernels/core/arena.h"

namespace anneal::engine {

struct ModelPlan {
  BytesByLabel bytes;              // by label
  int64_t total_bytes = 0;         // the arena, to the byte
  int64_t scratch_per_worker = 0;  // part of it: "workspace"
  int64_t trained_elements = 0;
  double operations = 0;  // of one micro-batch at its largest (generating: of one prefill)
};

// `backend` is the one that will run; nothing is computed on it.
ModelPlan plan_model(const Architecture& architecture, const BuildOptions& options, const Backend& backend);

// A model and the memory that it lies in: exactly what the plan said. Move-only through its pointer.
class PlannedModel {
 public:
  PlannedModel(const Architecture& architecture, const BuildOptions& options, Backend& backend);
  Model& operator*() { return *model_; }
  Model* operator->() { return model_.get(); }
  const ModelPlan& plan() const { return plan_; }

 private:
  ModelPlan plan_;
  Arena arena_;
  std::unique_ptr<Model> model_;
};

}  // namespace anneal::engine
