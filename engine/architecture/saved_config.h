#pragma once
// The config.json that goes with weights written here: what was read, with what training changed.

#include "engine/architecture/architecture.h"
#include "kernels/core/json.h"

namespace anneal::engine {

// Everything that was read stays, except: vocabulary, tying, rope and element type follow `architecture` and `dtype`
// (each in the old form, and in the new one too where the source had it); code of the model's own is not referred to.
Json saved_config(const Json& as_read, const Architecture& architecture, DType dtype);

}  // namespace anneal::engine
