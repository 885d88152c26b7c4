#pragma once
// The hyperparameters in a GGUF file's keys, said as a Hugging Face folder says them.

#include <string>

#include "engine/architecture/family.h"
#include "engine/files/gguf/gguf_file.h"
#include "kernels/core/json.h"

namespace anneal::engine {

struct GgufConfig {
  Json config;             // config.json, by the rules of the family
  Json generation_config;  // generation_config.json: the tokens that begin and end a text
};

// The family whose models stand in GGUF files under "general.architecture". Throws Error(kInput) naming those known.
const Family& family_of_gguf(const GgufFile& file);

// Throws Error(kInput) for what is missing, differs by layer, or is not computed here (experts, scalings of attention).
GgufConfig describe_gguf_config(const GgufFile& file, const Family& family);

}  // namespace anneal::engine
