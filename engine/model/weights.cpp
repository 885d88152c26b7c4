#include "engine/model/weights.h"

#include <algorithm>

namespace anneal::engine {
namespace {

Tensor flat(const Tensor& tensor) { return tensor.reshape({1, tensor.elements()}); }

void refuse_non_finite(const TensorEntry& entry, const Tensor& value, const std::string& path) {
  if (const auto place = first_non_finite(value.data(), value.dtype(), value.elements())) {
    throw input_error("{}: tensor \"{}\" holds an infinity or NaN at element {}. Get a healthy copy of the model.",
                      path, printable(entry.name), *place);
  }
}

std::vector<const Parameter*> chosen(Model& model, bool (*wanted)(const Parameter&)) {
  std::vector<const Parameter*> list;
  for (const Parameter& parameter : model.parameters()) {
    if (wanted(parameter)) list.push_back(&parameter);
  }
  return list;
}

}  // namespace

void load_parameter(Model& model, const Parameter& parameter, const TensorEntry& entry) {
  if (entry.shape != parameter.shape) {
    throw input_error("tensor \"{}\" is {}, expected {}. The file belongs to another model.", printable(entry.name),
                      shape_text(entry.shape), shape_text(parameter.shape));
  }
  read_as(entry, parameter.value.dtype(), parameter.value.data());
  if (!model.options().types.bf16_products || parameter.is_adapter || parameter.is_norm) return;
  // Trained weights keep their full master; frozen ones are only ever read by products.
  const Tensor rounded = parameter.copy.exists() ? parameter.copy : parameter.value;
  model.backend().run(Convert::Forward{.out = flat(rounded), .in = flat(parameter.value), .round_to_bf16 = true});
}

void load_weights(Model& model, const WeightFolder& weights) {
  for (const Parameter* parameter : weight_parameters(model)) {
    const TensorEntry& entry = weights.at(parameter->name);
    load_parameter(model, *parameter, entry);
    refuse_non_finite(entry, parameter->value, weights.path_of(entry));
  }
  model.prepare();
  weights.release();
}

void load_adapters(Model& model, const SafetensorsFile& file) {
  const std::vector<const Parameter*> adapters = adapter_parameters(model);
  for (const Parameter* parameter : adapters) {
    const TensorEntry* entry = file.find(parameter->name);
    if (entry == nullptr) {
      throw input_error("{}: tensor \"{}\" is missing. Check lora_rank and target_modules against the adapter's.",
                        file.path(), parameter->name);
    }
    load_parameter(model, *parameter, *entry);
    refuse_non_finite(*entry, parameter->value, file.path());
  }
  for (const TensorEntry& entry : file.entries()) {
    if (std::none_of(adapters.begin(), adapters.end(), [&](const Parameter* p) { return p->name == entry.name; })) {
      throw input_error(
          "{}: tensor \"{}\" has no place in this model. The adapter belongs to another one, or adapts what "
          "cannot be adapted here.",
          file.path(), printable(entry.name));
    }
  }
}

std::vector<const Parameter*> weight_parameters(Model& model) {
  return chosen(model, [](const Parameter& p) { return !p.is_adapter; });
}
std::vector<const Parameter*> adapter_parameters(Model& model) {
  return chosen(model, [](const Parameter& p) { return p.is_adapter; });
}
std::vector<const Parameter*> trained_parameters(Model& model) {
  return chosen(model, [](const Parameter& p) { return p.is_trained(); });
}

const float* values_as_f32(const Tensor& tensor, std::vector<float>& buffer) {
  if (tensor.dtype() == DType::kF32) return tensor.as<float>();
  buffer.resize(static_cast<std::size_t>(tensor.elements()));
  const double* values = tensor.as<double>();
  std::transform(values, values + tensor.elements(), buffer.begin(),
                 [](double value) { return static_cast<float>(value); });
  return buffer.data();
}

}  // namespace anneal::engine
