#pragma once
// JSON files of which there is one in a folder: config.json, an index, a checkpoint's state.

#include <string>

#include "kernels/core/json.h"

namespace anneal::engine {

// At most 64 MB; a byte-order mark is passed over. Throws Error(kInput) with path, line and column.
Json read_small_json(const std::string& path);

}  // namespace anneal::engine
