#pragma once
// A model as other programs write it: a folder with config.json, generation_config.json and safetensors, or one GGUF
// file. Reading checks that every tensor of the architecture is there with its shape before a number is used.

#include <optional>
#include <string>
#include <vector>

#include "engine/architecture/architecture.h"
#include "engine/files/weight_folder.h"
#include "kernels/core/json.h"

namespace anneal::engine {

// Owns the mapped weights; move-only.
struct ModelDescription {
  std::string folder;  // of config, tokenizer and template; of a GGUF file: the one made from its keys
  Architecture architecture;
  Json config;             // as read or made
  Json generation_config;  // as read; null if there is none
  WeightFolder weights;
  int64_t parameters = 0;            // tied weights once
  DType dtype = DType::kF32;         // of most of the weights, whatever the config states; F16 where quantised
  std::vector<int64_t> stop_tokens;  // that end a text: of generation_config.json, else of config.json
  std::vector<std::string> notices;  // for the person, each a sentence
};

// `folder` may be a GGUF file too. Throws Error(kInput) or ProblemError, one Problem for each tensor that is missing,
// of another shape or not expected. `weights_folder`: where the weights lie, if not beside the config (a run keeps both
// apart).
ModelDescription read_model_folder(const std::string& folder, const std::string& weights_folder = {});

// With architecture, weights, notices and generation config in place: checks the tensors and fills in the rest.
void finish_description(ModelDescription& model, const std::string& where);

// The tensors against the architecture; `tie_word_embeddings` is undone where a stored head differs from the embedding.
std::vector<Problem> check_tensors(const WeightFolder& weights, Architecture& architecture,
                                   std::vector<std::string>& notices);

}  // namespace anneal::engine
