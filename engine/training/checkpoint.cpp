#include "engine/training/checkpoint.h"

#include <algorithm>
#include <cmath>

#include "engine/files/safetensors.h"
#include "engine/files/small_json.h"
#include "engine/model/weights.h"
#include "kernels/core/sha256.h"

namespace anneal::engine {
namespace {

constexpr int64_t kVersion = 1;
constexpr const char* kPartial = ".partial";
constexpr const char* kStateFile = "state.json";
constexpr const char* kOptimizerFile = "optimizer.safetensors";
constexpr const char* kAdapterFile = "adapter_model.safetensors";
constexpr const char* kModelFile = "model.safetensors";

std::string folder_name(int64_t step) { return fmt::format("step_{:08}", step); }

void write_tensors(const std::filesystem::path& path, const std::vector<std::pair<std::string, const Tensor*>>& tensors,
                   const std::vector<std::vector<int64_t>>& shapes, FileWriter& files) {
  std::vector<TensorSpec> specs;
  for (std::size_t i = 0; i < tensors.size(); ++i) specs.push_back({tensors[i].first, DType::kF32, shapes[i]});
  SafetensorsWriter writer(path.string(), specs, files);
  std::vector<float> buffer;
  for (const auto& [name, tensor] : tensors) {
    writer.write(name, values_as_f32(*tensor, buffer), tensor->elements() * 4);
  }
  writer.finish();
}

void write_weights(const std::filesystem::path& path, const std::vector<const Parameter*>& parameters,
                   FileWriter& files) {
  std::vector<std::pair<std::string, const Tensor*>> tensors;
  std::vector<std::vector<int64_t>> shapes;
  for (const Parameter* parameter : parameters) {
    tensors.emplace_back(parameter->name, &parameter->value);
    shapes.push_back(parameter->shape);
  }
  write_tensors(path, tensors, shapes, files);
}

void write_moments(const std::filesystem::path& path, const std::vector<const Parameter*>& parameters,
                   FileWriter& files) {
  std::vector<std::pair<std::string, const Tensor*>> tensors;
  std::vector<std::vector<int64_t>> shapes;
  for (const Parameter* parameter : parameters) {
    tensors.emplace_back(parameter->name + ".first_moment", &parameter->first_moment);
    tensors.emplace_back(parameter->name + ".second_moment", &parameter->second_moment);
    shapes.push_back(parameter->shape);
    shapes.push_back(parameter->shape);
  }
  write_tensors(path, tensors, shapes, files);
}

Json state_json(const CheckpointState& state, const Json& files) {
  const RunPosition& position = state.position;
  return Json{{"checkpoint_version", kVersion},
              {"step", position.step},
              {"epoch", position.loading.epoch},
              {"step_in_epoch", position.loading.step_in_epoch},
              {"tokens", position.tokens},
              {"label_tokens", position.label_tokens},
              {"evaluations_without_gain", position.evaluations_without_gain},
              {"eval_loss", state.eval_loss ? Json(*state.eval_loss) : Json()},
              {"recipe_sha256", state.recipe_sha256},
              {"base_fingerprint", state.base_fingerprint},
              {"files", files}};
}

Json file_list(const std::filesystem::path& folder, const std::vector<std::string>& names) {
  Json list = Json::array();
  for (const std::string& name : names) {
    list.push_back({{"name", name},
                    {"bytes", std::filesystem::file_size(folder / name)},
                    {"sha256", sha256_of_file((folder / name).string())}});
  }
  return list;
}

CheckpointState read_state(const std::filesystem::path& folder) {
  const std::string where = (folder / kStateFile).string();
  const Json json = read_small_json(where);
  if (require<int64_t>(json, "checkpoint_version", where) != kVersion) {
    throw input_error("{}: the checkpoint was written by a newer version of this program. Update it.", where);
  }
  CheckpointState state;
  state.position.step = require<int64_t>(json, "step", where);
  state.position.loading = {require<int64_t>(json, "epoch", where), require<int64_t>(json, "step_in_epoch", where)};
  state.position.tokens = require<int64_t>(json, "tokens", where);
  state.position.label_tokens = require<int64_t>(json, "label_tokens", where);
  state.position.evaluations_without_gain = require<int64_t>(json, "evaluations_without_gain", where);
  if (json.contains("eval_loss") && json["eval_loss"].is_number()) state.eval_loss = json["eval_loss"].get<double>();
  state.recipe_sha256 = require<std::string>(json, "recipe_sha256", where);
  state.base_fingerprint = value_or<std::string>(json, "base_fingerprint", "", where);
  return state;
}

void check_files(const std::filesystem::path& folder) {
  const std::string where = (folder / kStateFile).string();
  const Json json = read_small_json(where);
  for (const Json& file : require<Json>(json, "files", where)) {
    const std::filesystem::path path = folder / require<std::string>(file, "name", where);
    std::error_code failed;
    const auto bytes = std::filesystem::file_size(path, failed);
    if (failed || bytes != require<uint64_t>(file, "bytes", where) ||
        sha256_of_file(path.string()) != require<std::string>(file, "sha256", where)) {
      throw input_error(
          "{}: the file is not the one that was written. Resume from an earlier checkpoint: move {} away.",
          path.string(), folder.string());
    }
  }
}

// Out of the list first: a removal that is interrupted leaves no half checkpoint under its name.
void remove_checkpoint(const std::filesystem::path& folder) {
  std::error_code ignored;
  const std::filesystem::path partial = folder.string() + kPartial;
  std::filesystem::rename(folder, partial, ignored);
  std::filesystem::remove_all(ignored ? folder : partial, ignored);
}

bool is_checkpoint_name(const std::string& name) { return name.starts_with("step_"); }

bool is_whole(const std::filesystem::path& folder) {
  return !folder.string().ends_with(kPartial) && std::filesystem::exists(folder / kStateFile);
}

// What a process that was killed left half written or half removed.
void remove_leftovers(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> leftovers;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    if (is_checkpoint_name(entry.path().filename().string()) && !is_whole(entry.path()))
      leftovers.push_back(entry.path());
  }
  for (const auto& path : leftovers) std::filesystem::remove_all(path, ignored);
}

bool is_adapter_run(Model& model) { return !adapter_parameters(model).empty(); }

}  // namespace

std::filesystem::path write_checkpoint(const std::filesystem::path& folder, Model& model, const CheckpointState& state,
                                       const std::string& adapter_config, FileWriter& files) {
  const std::filesystem::path path = folder / folder_name(state.position.step);
  const std::filesystem::path partial = path.string() + kPartial;
  std::filesystem::create_directories(folder);
  std::filesystem::remove_all(partial);
  std::filesystem::create_directory(partial);
  try {
    std::vector<std::string> names{kOptimizerFile};
    write_moments(partial / kOptimizerFile, trained_parameters(model), files);
    if (is_adapter_run(model)) {
      write_weights(partial / kAdapterFile, adapter_parameters(model), files);
      write_text_durably((partial / "adapter_config.json").string(), adapter_config, files);
      names.insert(names.end(), {kAdapterFile, "adapter_config.json"});
    } else {
      write_weights(partial / kModelFile, weight_parameters(model), files);
      names.emplace_back(kModelFile);
    }
    write_text_durably((partial / kStateFile).string(), to_text(state_json(state, file_list(partial, names))), files);
    // The same step again (after a resume): the old folder makes room only once the new one is whole.
    std::filesystem::remove_all(path);
    rename_durably(partial.string(), path.string(), files);
  } catch (...) {
    std::error_code ignored;
    std::filesystem::remove_all(partial, ignored);
    throw;
  }
  return path;
}

void update_checkpoint_state(const CheckpointInfo& checkpoint, FileWriter& files) {
  const std::string path = (checkpoint.path / kStateFile).string();
  const Json old = read_small_json(path);
  write_text_durably(path, to_text(state_json(checkpoint.state, old.at("files"))), files);
}

std::vector<CheckpointInfo> list_checkpoints(const std::filesystem::path& folder) {
  std::vector<CheckpointInfo> list;
  std::error_code absent;
  for (const auto& entry : std::filesystem::directory_iterator(folder, absent)) {
    if (!is_checkpoint_name(entry.path().filename().string()) || !is_whole(entry.path())) continue;
    list.push_back({entry.path(), read_state(entry.path())});
  }
  std::sort(list.begin(), list.end(),
            [](const auto& a, const auto& b) { return a.state.position.step < b.state.position.step; });
  return list;
}

const CheckpointInfo* best_checkpoint(const std::vector<CheckpointInfo>& checkpoints) {
  const CheckpointInfo* best = nullptr;
  for (const CheckpointInfo& checkpoint : checkpoints) {
    const std::optional<double>& loss = checkpoint.state.eval_loss;
    if (!loss || !std::isfinite(*loss)) continue;
    if (best == nullptr || *loss < *best->state.eval_loss) best = &checkpoint;
  }
  return best;
}

void restore_weights(const CheckpointInfo& checkpoint, Model& model) {
  check_files(checkpoint.path);
  if (is_adapter_run(model)) {
    load_adapters(model, SafetensorsFile::open((checkpoint.path / kAdapterFile).string()));
    return;
  }
  const SafetensorsFile file = SafetensorsFile::open((checkpoint.path / kModelFile).string());
  for (const Parameter* parameter : weight_parameters(model)) {
    const TensorEntry* entry = file.find(parameter->name);
    if (entry == nullptr)
      throw input_error("{}: tensor \"{}\" is missing. The checkpoint belongs to another model.", file.path(),
                        parameter->name);
    load_parameter(model, *parameter, *entry);
  }
  model.prepare();
}

void restore_checkpoint(const CheckpointInfo& checkpoint, Model& model) {
  restore_weights(checkpoint, model);
  const SafetensorsFile file = SafetensorsFile::open((checkpoint.path / kOptimizerFile).string());
  const auto restore = [&](const std::string& name, const Tensor& target) {
    const TensorEntry* entry = file.find(name);
    if (entry == nullptr || entry->elements() != target.elements()) {
      throw input_error("{}: tensor \"{}\" is missing or of another size. The checkpoint belongs to another recipe.",
                        file.path(), name);
    }
    read_as(*entry, target.dtype(), target.data());
  };
  for (const Parameter* parameter : trained_parameters(model)) {
    restore(parameter->name + ".first_moment", parameter->first_moment);
    restore(parameter->name + ".second_moment", parameter->second_moment);
  }
}

void remove_old_checkpoints(const std::filesystem::path& folder, int64_t keep) {
  remove_leftovers(folder);
  const std::vector<CheckpointInfo> all = list_checkpoints(folder);
  const CheckpointInfo* best = best_checkpoint(all);
  int64_t others = 0;
  for (auto checkpoint = all.rbegin(); checkpoint != all.rend(); ++checkpoint) {
    if (checkpoint == all.rbegin() || &*checkpoint == best || others++ < keep) continue;
    remove_checkpoint(checkpoint->path);
  }
}

int64_t checkpoint_bytes(int64_t trained_elements) {
  constexpr int64_t kSmallFiles = 64 * 1024;
  return trained_elements * 3 * 4 + kSmallFiles;
}

}  // namespace anneal::engine
