#pragma once
// A model in one GGUF file, read as a Hugging Face folder is: the tensors under that folder's names, and beside them
// the small files that such a folder has, made from the file's keys.

#include <string>

#include "engine/architecture/model_folder.h"

namespace anneal::engine {

// A regular file that begins as GGUF files do.
bool is_gguf(const std::string& path);

// All but `folder`, and nothing is written. Throws Error(kInput) or ProblemError.
ModelDescription read_gguf_model(GgufFile file);

// A folder with config.json, generation_config.json and the tokenizer's files of such a model, made in home_folder() on
// first use and found there again. Throws Error(kInput).
std::string small_files_of_gguf(const ModelDescription& model);

}  // namespace anneal::engine
