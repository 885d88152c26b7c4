#pragma once
// From a model's config.json to its Architecture, by the rules of its family.

#include <string>
#include <string_view>
#include <vector>

#include "engine/architecture/architecture.h"
#include "kernels/core/json.h"

namespace anneal::engine {

struct ConfigReading {
  Architecture architecture;
  std::vector<std::string> notices;  // what the config asks for and is not done, each a sentence
};

// Throws Error(kInput) for an unknown or quantised model, ProblemError with every field that is missing or impossible.
// Sizes are bounded, so that whatever is built from them stays countable.
ConfigReading read_config(const Json& config, std::string_view where);

}  // namespace anneal::engine
