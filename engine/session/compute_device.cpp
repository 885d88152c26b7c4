#include "engine/session/compute_device.h"

#include "engine/recipe/checks.h"
#include "kernels/core/error.h"
#include "kernels/cpu/cpu.h"

namespace anneal::engine {

std::unique_ptr<Backend> make_backend(const DeviceOptions& device) {
  const std::optional<DeviceChoice> choice = parse_device(device.device);
  if (!choice) throw ProblemError(not_a_device(device.device));
  if (choice->kind == "cuda") {
    throw ProblemError(
        {"device",
         fmt::format("\"{}\" is not available: this version computes on the processor only", printable(device.device)),
         "Use auto or cpu."});
  }
  return make_cpu_backend(static_cast<int>(device.threads.value_or(0)));
}

ComputeTypes compute_types(Precision precision) {
  switch (precision) {
    case Precision::kFp32:
      return ComputeTypes::fp32();
    case Precision::kBf16:
      return ComputeTypes::bf16();
    case Precision::kAuto:
      return cpu_facts().has_bf16_products ? ComputeTypes::bf16() : ComputeTypes::fp32();
  }
  throw InternalError("internal fault: unknown precision");
}

}  // namespace anneal::engine
