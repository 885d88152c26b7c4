#pragma once
// A lone tokenizer.model. The library cuts the text; what stands around it (added and control tokens, origins,
// decoding) is ours, so that it behaves like a tokenizer.json made from the same model.

#include <memory>
#include <string>

#include "datasets/tokenizers/control_tokens.h"
#include "datasets/tokenizers/tokenizer.h"

namespace anneal::datasets {

// `bytes` is the file. Without a config, BOS is put in front if the model has one, and nothing behind.
// Throws Error(kInput) if the model is damaged.
std::unique_ptr<Tokenizer> make_sentencepiece_tokenizer(const std::string& bytes, const TokenizerConfig& config,
                                                        const std::string& where, std::string content_hash);

}  // namespace anneal::datasets
