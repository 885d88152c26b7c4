#pragma once
// The real small model of the shared data, and the numbers that another program's autograd gave for it.

#include <memory>
#include <string>
#include <vector>

#include "engine/architecture/model_folder.h"
#include "engine/model/plan.h"
#include "engine/model/weights.h"
#include "kernels/core/json.h"
#include "kernels/cpu/cpu.h"
#include "kernels/reference/reference.h"
#include "tests/support/shared_data.h"

namespace anneal::engine {

inline std::string golden_folder() { return (tests::shared_data() / "models/stories260K/hf").string(); }
inline Json golden(const std::string& name) {
  return read_json_file((tests::shared_data() / "models/stories260K" / name).string());
}

// A model in memory with its backend.
struct LoadedModel {
  std::unique_ptr<Backend> backend;
  std::unique_ptr<PlannedModel> planned;
  Model& model() { return **planned; }
};

inline LoadedModel load_golden_model(std::unique_ptr<Backend> backend, BuildOptions options) {
  const ModelDescription description = read_model_folder(golden_folder());
  LoadedModel loaded{std::move(backend), nullptr};
  loaded.planned = std::make_unique<PlannedModel>(description.architecture, options, *loaded.backend);
  load_weights(loaded.model(), description.weights);
  loaded.model().initialize_adapters();
  return loaded;
}

// All trained gradients, one after another.
inline std::vector<double> gradients_of(Model& model) {
  std::vector<double> all;
  for (const Parameter& parameter : model.parameters()) {
    if (!parameter.is_trained()) continue;
    for (int64_t i = 0; i < parameter.elements(); ++i) {
      all.push_back(parameter.gradient.dtype() == DType::kF64 ? parameter.gradient.as<double>()[i]
                                                              : double(parameter.gradient.as<float>()[i]));
    }
  }
  return all;
}

}  // namespace anneal::engine
