#pragma once
// Which device computes, decided in one place for runs and for models that are only read.

#include <memory>

#include "engine/blocks/compute_types.h"
#include "engine/recipe/recipe.h"
#include "kernels/backend.h"

namespace anneal::engine {

// The backend for `device` ("auto", "cpu", "cuda", "cuda:0,1") with its threads (unset or 0: all cores). Throws
// ProblemError for a text that names no device, or a device that this version or machine does not have.
std::unique_ptr<Backend> make_backend(const DeviceOptions& device);

// The number formats that `precision` comes to on this machine; auto takes the fastest one.
ComputeTypes compute_types(Precision precision);

}  // namespace anneal::engine
