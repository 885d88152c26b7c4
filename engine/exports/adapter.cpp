// The adapter alone, as a PEFT folder.

#include "engine/exports/export_list.h"
#include "engine/exports/verification.h"
#include "engine/model/weights.h"

namespace anneal::engine {
namespace {

void write_adapter(Model& model, const ModelSource& source, const std::filesystem::path& out) {
  std::vector<TensorSpec> specs;
  const auto adapters = adapter_parameters(model);
  for (const Parameter* parameter : adapters) specs.push_back({parameter->name, DType::kF32, parameter->shape});
  SafetensorsWriter writer((out / "adapter_model.safetensors").string(), specs);
  std::vector<float> buffer;
  for (const Parameter* parameter : adapters) {
    writer.write(parameter->name, values_as_f32(parameter->value, buffer), parameter->elements() * 4);
  }
  writer.finish();
  write_text_durably((out / "adapter_config.json").string(), adapter_config_text(source.adapter));
}

ExportResult export_adapter(const ModelSource& source, const ExportRequest& request, Backend& backend) {
  if (!source.adapter_folder) {
    throw input_error("{}: there is no adapter; all weights were trained. Export it with --format merged.",
                      source.name);
  }
  const Architecture& architecture = source.description.architecture;
  PlannedModel model(architecture, probe_build(architecture, inference_plan(source)), backend);
  load_model(*model, source);
  const ProbeLogits trained = probe(*model);
  write_adapter(*model, source, request.out);
  // Read back over the same base.
  for (const Parameter* parameter : adapter_parameters(*model)) backend.run(Fill::Forward{.x = parameter->value});
  read_adapter_config(request.out.string());
  load_adapters(*model, SafetensorsFile::open((request.out / "adapter_model.safetensors").string()));
  ExportResult result;
  result.verified = compare(trained, probe(*model), 0, 1);  // the same numbers: not one bit may differ
  return result;
}

}  // namespace

const ExportFormat kAdapterExport{"adapter", "the adapter alone, as PEFT reads it", export_adapter};

}  // namespace anneal::engine
