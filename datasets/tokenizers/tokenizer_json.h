#pragma once
// Reads a tokenizer.json as a whole.

#include <memory>
#include <string>

#include "datasets/tokenizers/control_tokens.h"
#include "datasets/tokenizers/tokenizer.h"
#include "kernels/core/json.h"

namespace anneal::datasets {

// Throws Error(kInput): "DIR/tokenizer.json: model: …".
std::unique_ptr<Tokenizer> make_json_tokenizer(const Json& description, const TokenizerConfig& config,
                                               const std::string& where, const std::string& content_hash);

}  // namespace anneal::datasets
