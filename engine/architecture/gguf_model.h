#pragma once
// A model in one GGUF file, read as a Hugging Face folder is: the tensors under that folder's names, and beside them
// the small files that such a folder has, made from the file's keys.

#include <string>

#include "datasets/tokenizers/loading.h"
#include "engine/architecture/model_folder.h"

namespace anneal::engine {

// In such a folder: the hash of each of its files. Its presence says that the folder is no model of a person's.
inline constexpr const char* kMadeFromGguf = "made-from-gguf.json";

// A regular file that begins as GGUF files do.
bool is_gguf(const std::string& path);

// All but `folder`, and nothing is written. Throws Error(kInput) or ProblemError.
ModelDescription read_gguf_model(GgufFile file);

// The tokenizer's files of such a model, from which a tokenizer was made to see that they work. Throws Error(kInput)
// naming the GGUF file.
datasets::TokenizerFiles vocabulary_of_gguf(const ModelDescription& model);

// A folder with config.json, generation_config.json and the tokenizer's files of such a model, made in home_folder() on
// first use and found there again; what is missing or changed there is made anew. Throws Error(kInput).
std::string small_files_of_gguf(const ModelDescription& model);

}  // namespace anneal::engine
