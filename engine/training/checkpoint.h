#pragma once
// What a run needs to go on exactly: trained weights, optimizer states, and where it stands. A checkpoint is a folder
// step_NNNNNNNN of the run's checkpoints/ folder, written beside it as …partial, flushed, then renamed: it is there
// wholly or not at all. An adapter's checkpoint is a PEFT adapter folder too.

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "datasets/loading/loader.h"
#include "engine/files/durable_file.h"
#include "engine/model/model.h"

namespace anneal::engine {

struct RunPosition {
  int64_t step = 0;  // finished optimizer steps
  datasets::LoadingPosition loading;
  int64_t tokens = 0;  // so far
  int64_t label_tokens = 0;
  int64_t evaluations_without_gain = 0;
};

struct CheckpointState {
  RunPosition position;
  std::optional<double> eval_loss;  // of exactly these weights
  std::string recipe_sha256;
  std::string base_fingerprint = {};  // of the weights that an adapter stands on; empty for full fine-tuning
};

struct CheckpointInfo {
  std::filesystem::path path;
  CheckpointState state;
};

// Writes and reads back the state of a model that is being trained. Throws DiskFull with nothing left behind.
// `adapter_config` is PEFT's file for adapter runs; empty for full fine-tuning.
std::filesystem::path write_checkpoint(const std::filesystem::path& folder, Model& model, const CheckpointState& state,
                                       const std::string& adapter_config, FileWriter& files = system_files());

// Rewrites the state of a finished checkpoint (its evaluation came later).
void update_checkpoint_state(const CheckpointInfo& checkpoint, FileWriter& files = system_files());

// Whole checkpoints by step; folders that are not are passed over.
std::vector<CheckpointInfo> list_checkpoints(const std::filesystem::path& folder);
// The one with the lowest finite evaluation loss (the earlier of equal ones); none if none was evaluated.
const CheckpointInfo* best_checkpoint(const std::vector<CheckpointInfo>& checkpoints);

// Checks sizes and hashes, then restores weights and optimizer states.
void restore_checkpoint(const CheckpointInfo& checkpoint, Model& model);
// Weights alone, for evaluating, generating and exporting.
void restore_weights(const CheckpointInfo& checkpoint, Model& model);

// Removes all but best, last and the `keep` newest others, and what a killed process left half written or half removed.
// For the process alone that holds the run.
void remove_old_checkpoints(const std::filesystem::path& folder, int64_t keep);

// Bytes that one checkpoint will take.
int64_t checkpoint_bytes(int64_t trained_elements);

}  // namespace anneal::engine
