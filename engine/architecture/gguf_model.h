#pragma once
// A model in one GGUF file, read as a Hugging Face folder is: the tensors under that folder's names, and beside them
// the small files that such a folder has, made from the file's keys.

#include <filesystem>
#include <string>

#include "engine/architecture/model_folder.h"

namespace anneal::engine {

// A regular file that begins as GGUF files do.
bool is_gguf(const std::string& path);

// All but `folder`, and nothing is written. Throws Error(kInput) or ProblemError.
ModelDescription read_gguf_model(const std::string& path);

// A folder with config.json, generation_config.json and the tokenizer's files, made from the file's keys in
// home_folder() on first use and found there again. Throws Error(kInput).
std::filesystem::path small_files_of_gguf(const std::string& path);

// Where a model's small files lie: `model` itself if it is a folder, else those of the GGUF file.
std::string small_files_folder(const std::string& model);

}  // namespace anneal::engine
