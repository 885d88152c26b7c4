#pragma once
// adapter_config.json of a PEFT folder: what an adapter is made of.

#include <string>

#include "engine/architecture/architecture.h"
#include "engine/blocks/projection.h"
#include "kernels/core/json.h"

namespace anneal::engine {

struct AdapterConfig {
  AdapterOptions options;
  std::string base_model;  // as written; for people
};

// As PEFT writes it for inference; few keys, so that old versions read it too.
std::string adapter_config_text(const AdapterConfig& config);

// Throws Error(kInput) for what this version cannot compute (DoRA, per-layer ranks, modules_to_save, …), by name.
AdapterConfig read_adapter_config(const std::string& folder);

// The last parts of the names of all linear modules of a block: what "all-linear" means.
std::vector<std::string> linear_module_names(const Architecture& architecture);

}  // namespace anneal::engine
