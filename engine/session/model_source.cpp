#include "engine/session/model_source.h"

#include <charconv>
#include <filesystem>

#include "engine/architecture/gguf_model.h"
#include "engine/files/small_json.h"
#include "engine/model/weights.h"
#include "engine/recipe/recipe_file.h"
#include "engine/runs/run_record.h"
#include "engine/session/run_folder.h"

namespace anneal::engine {
namespace {

CheckpointInfo choose_checkpoint(const std::string& run, const std::string& wanted, std::string& how) {
  std::vector<CheckpointInfo> all = list_checkpoints(RunFolder(run).checkpoints());
  if (all.empty()) throw input_error("{}: the run has no checkpoint yet. Let it train longer, or resume it.", run);
  const CheckpointInfo* best = best_checkpoint(all);
  if (wanted.empty() || wanted == "best") {
    if (best != nullptr) {
      how = "best";
      return *best;
    }
    if (wanted == "best") throw input_error("{}: no checkpoint of this run was evaluated. Use --checkpoint last.", run);
  }
  if (wanted.empty() || wanted == "last") {
    how = "last";
    return all.back();
  }
  int64_t step = 0;
  const auto [end, failed] = std::from_chars(wanted.data(), wanted.data() + wanted.size(), step);
  std::string known;
  if (failed == std::errc() && end == wanted.data() + wanted.size()) {
    for (const CheckpointInfo& checkpoint : all) {
      if (checkpoint.state.position.step == step) return checkpoint;
    }
  }
  for (const CheckpointInfo& checkpoint : all)
    known += fmt::format("{}{}", known.empty() ? "" : ", ", checkpoint.state.position.step);
  throw input_error("{}: there is no checkpoint \"{}\". Use best, last or one of the steps {}.", run, printable(wanted),
                    known);
}

}  // namespace

ModelSource open_model(const ModelRequest& request) {
  ModelSource source;
  source.base_folder = request.model;
  source.template_folder = request.model;
  source.name = request.model;
  if (holds_a_run(request.model)) {
    const RunFolder run(request.model);
    std::string how;
    source.checkpoint = choose_checkpoint(request.model, request.checkpoint, how);
    source.base_folder = recipe_from_json(read_small_json(run.recipe().string()), run.recipe().string()).model.model;
    source.name = fmt::format("{} (checkpoint of step {}{})", request.model, source.checkpoint->state.position.step,
                              how.empty() ? "" : ", " + how);
    const std::string folder = source.checkpoint->path.string();
    source.template_folder = run.base();
    if (std::filesystem::exists(source.checkpoint->path / "adapter_config.json")) {
      source.adapter_folder = folder;
    } else {
      source.has_trained_weights = true;
      // The run keeps the base's small files, so that it is complete without the base.
      source.base_folder = run.base().string();
    }
  } else if (!request.checkpoint.empty()) {
    throw input_error("{}: --checkpoint needs a run's folder; this is none. Leave --checkpoint out.", request.model);
  }
  if (!request.adapter.empty()) {
    if (source.adapter_folder)
      throw input_error("{}: the run has an adapter already. Export it merged first, or leave --adapter out.",
                        request.model);
    source.adapter_folder = request.adapter;
  }
  if (source.has_trained_weights) {
    source.description = read_model_folder(source.base_folder, source.checkpoint->path.string());
  } else {
    source.description = read_model_folder(source.base_folder);
    if (source.checkpoint)
      check_base(source.checkpoint->state, source.description.weights.fingerprint(), source.base_folder);
    if (!source.checkpoint) source.template_folder = source.description.folder;
    source.base_folder = source.description.folder;
  }
  if (source.adapter_folder) source.adapter = read_adapter_config(*source.adapter_folder);
  return source;
}

std::string small_files_folder(const std::string& model) {
  if (holds_a_run(model)) return RunFolder(model).base().string();
  return is_gguf(model) ? read_model_folder(model).folder : model;
}

void check_base(const CheckpointState& checkpoint, const std::string& fingerprint, const std::string& base) {
  if (checkpoint.base_fingerprint.empty() || checkpoint.base_fingerprint == fingerprint) return;
  throw input_error(
      "{}: holds other weights than those that this run's adapter was trained on, so it would answer nonsense. Put the "
      "model back that the run began with.",
      base);
}

TrainingPlan inference_plan(const ModelSource& source) {
  TrainingPlan plan;
  if (source.adapter_folder) plan.lora = source.adapter.options;
  return plan;
}

void load_model(Model& model, const ModelSource& source) {
  load_weights(model, source.description.weights);
  if (!source.adapter_folder) return;
  if (source.checkpoint) {
    restore_weights(*source.checkpoint, model);
  } else {
    load_adapters(model, SafetensorsFile::open(
                             (std::filesystem::path(*source.adapter_folder) / "adapter_model.safetensors").string()));
  }
}

}  // namespace anneal::engine
