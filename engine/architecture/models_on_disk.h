#pragma once
// The pretrained models that lie on this machine's disks: those that other programs fetched into the Hugging Face
// cache, and those in folders that a person names. Nothing is moved, copied or changed.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "kernels/core/json.h"

namespace anneal::engine {

struct ModelOnDisk {
  std::string name;            // "owner/model" in the Hugging Face cache, else the folder's or file's name
  std::filesystem::path path;  // of a Hugging Face folder, or of a GGUF file
  Json summary;  // as inspect_model_folder() or inspect_gguf() gives it; a damaged one: "trainable" false and a reason
};

// The Hugging Face cache (HF_HUB_CACHE, else hub in HF_HOME, else huggingface/hub in XDG_CACHE_HOME or ~/.cache) and
// "models" in home_folder(). They need not exist.
std::vector<std::filesystem::path> usual_model_places();

// Walks through each place, at most eight folders deep, and calls `found` for each model as it is met; the same one
// once. Links to folders are not followed, hidden folders, runs and what was made from
// GGUF files are passed over, and a folder that cannot be read is
// left out. Stops early where `found` answers false. Throws nothing of its own: a broken model is a finding.
void find_models(const std::vector<std::filesystem::path>& places, const std::function<bool(ModelOnDisk)>& found);

}  // namespace anneal::engine
