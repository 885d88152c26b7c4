#pragma once
// From files into a model's memory, and from there to files.

#include <span>
#include <string>
#include <vector>

#include "engine/files/weight_folder.h"
#include "engine/model/model.h"

namespace anneal::engine {

// Reads every weight but the adapters, rounds what a BF16 run rounds, packs, and gives the mapping back.
// Throws Error(kInput) naming the tensor if one is absent or holds an infinity or NaN.
void load_weights(Model& model, const WeightFolder& weights);

// One tensor into a parameter (of the model's type), with its rounded copy. Sizes must be equal.
void load_parameter(Model& model, const Parameter& parameter, const TensorEntry& entry);

// Reads an adapter in PEFT's names (adapter_model.safetensors) over the model's adapters; every adapter of the model
// must be there and nothing else.
void load_adapters(Model& model, const SafetensorsFile& file);

// What is written to files: FP32 values of these parameters under their names, in their order.
std::vector<const Parameter*> weight_parameters(Model& model);  // all but adapters
std::vector<const Parameter*> adapter_parameters(Model& model);
std::vector<const Parameter*> trained_parameters(Model& model);

// FP32 values, through `buffer` where the model's type is another.
const float* values_as_f32(const Tensor& tensor, std::vector<float>& buffer);

}  // namespace anneal::engine
