#pragma once
// Tokenizers from a line of JSON.

#include <memory>
#include <string>
#include <vector>

#include "datasets/tokenizers/loading.h"
#include "kernels/core/error.h"

namespace anneal::datasets::tests {

inline TokenizerFiles json_files(const std::string& tokenizer_json, const std::string& config = "") {
  TokenizerFiles files;
  files.where = "DIR";
  files.tokenizer_json = tokenizer_json;
  if (!config.empty()) files.tokenizer_config_json = config;
  return files;
}

inline std::unique_ptr<Tokenizer> from_json(const std::string& tokenizer_json, const std::string& config = "") {
  return make_tokenizer(json_files(tokenizer_json, config));
}

// The sentence with which the files are refused, or "accepted".
inline std::string refusal(const TokenizerFiles& files) {
  try {
    make_tokenizer(files);
  } catch (const Error& error) {
    return error.kind() == ErrorKind::kInput ? error.what() : std::string("another kind: ") + error.what();
  }
  return "accepted";
}

using Ids = std::vector<Token>;
using Spans = std::vector<Span>;

}  // namespace anneal::datasets::tests
