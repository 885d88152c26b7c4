#pragma once
// What a model is, in the form that `anneal model inspect` prints.

#include <string>

#include "engine/architecture/model_folder.h"
#include "kernels/core/json.h"

namespace anneal::engine {

// {"architecture", "family", "parameters", "dtype", "tensors", "context", "trainable", "reason", sizes, "notices"}.
Json summary_of(const ModelDescription& model);

// The same for any model's folder or GGUF file: one that cannot be trained is described as far as it can be read, with
// "trainable" false and the reason. Throws Error(kInput) only when the folder holds no model at all.
Json inspect_model_folder(const std::string& folder);

// The same for a model in one GGUF file. "dtype" is the type in which most of the weights are stored ("Q4_K"). Throws
// Error(kInput) for a file that cannot be read.
Json inspect_gguf(const std::string& path);

}  // namespace anneal::engine
