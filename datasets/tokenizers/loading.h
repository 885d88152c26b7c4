#pragma once
// From a model's folder, or from the same texts in memory, to a Tokenizer.

#include <memory>
#include <optional>
#include <string>

#include "datasets/tokenizers/tokenizer.h"

namespace anneal::datasets {

// The contents of a model's tokenizer files; what the folder lacks stays empty.
struct TokenizerFiles {
  std::string where;  // the folder's or the GGUF file's name, for sentences
  std::optional<std::string> tokenizer_json = {};
  std::optional<std::string> tokenizer_model = {};  // a SentencePiece model
  std::optional<std::string> vocab_json = {};
  std::optional<std::string> merges_txt = {};
  std::optional<std::string> tokenizer_config_json = {};
  std::optional<std::string> special_tokens_map_json = {};
  std::optional<std::string> added_tokens_json = {};
};

// Reads what is there. Throws Error(kInput) if the folder holds no vocabulary or a file cannot be read.
TokenizerFiles read_tokenizer_files(const std::string& folder);

// tokenizer.json if there is one, else tokenizer.model, else vocab.json with merges.txt; the other files may override.
// A broken file is refused with one sentence that names it.
std::unique_ptr<Tokenizer> make_tokenizer(const TokenizerFiles& files);

// False: not even a broken one. A model without any can learn from ready-made tokens (id_tokenizer.h).
bool has_vocabulary(const TokenizerFiles& files);

// Both in one call.
std::unique_ptr<Tokenizer> load_tokenizer(const std::string& folder);

}  // namespace anneal::datasets
