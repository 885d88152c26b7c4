#pragma once
// What a person names as a model: a Hugging Face folder, a GGUF file, or a run's folder with one of its checkpoints;
// and an adapter beside it.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/adapters/adapter_config.h"
#include "engine/architecture/model_folder.h"
#include "engine/model/plan.h"
#include "engine/training/checkpoint.h"

namespace anneal::engine {

struct ModelRequest {
  std::string model;
  std::string adapter;     // a PEFT folder; empty: none
  std::string checkpoint;  // of a run: "best", "last" or a step; empty: best if it was evaluated, else last
};

struct ModelSource {
  std::string base_folder;                // config, tokenizer, template
  std::filesystem::path template_folder;  // tokenizer and template: a run's own copy, else the base
  ModelDescription description;
  std::optional<std::string> adapter_folder;
  AdapterConfig adapter;                     // with an adapter
  std::optional<CheckpointInfo> checkpoint;  // of a run
  bool has_trained_weights = false;          // the checkpoint holds all weights (full fine-tuning)
  std::string name;                          // what was opened, for answers: "RUN (checkpoint step 40, best)"
};

// Throws Error(kInput) or ProblemError: no such thing, no such checkpoint, an adapter of another model.
ModelSource open_model(const ModelRequest& request);

// The folder with a model's tokenizer and template: a run's own copy, what is made from a GGUF file's keys, else
// `model`.
std::string small_files_folder(const std::string& model);

// Throws Error(kInput) where a checkpoint's adapter was trained on other weights than `fingerprint`, those of `base`.
void check_base(const CheckpointState& checkpoint, const std::string& fingerprint, const std::string& base);

// Weights, then what was trained, into a model that was built with the source's adapters.
void load_model(Model& model, const ModelSource& source);

// The options of a model that is only read: adapters as the source has them.
TrainingPlan inference_plan(const ModelSource& source);

}  // namespace anneal::engine
