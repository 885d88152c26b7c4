#pragma once
// What is put around a text's tokens: "post_processor" in tokenizer.json, for a single text. Trimming of offsets, which
// some kinds do as well, is left out: a loss mask needs each byte to belong to a token.

#include <string>
#include <vector>

#include "datasets/tokenizers/tokenizer.h"
#include "kernels/core/json.h"

namespace anneal::datasets {

struct TokensAround {
  std::vector<Token> before;
  std::vector<Token> behind;
};

// Nothing for a JSON null. Throws Error(kInput) for a kind that is unknown or a template that lacks the text or a
// token.
TokensAround read_post_processor(const Json& description, const std::string& where);

}  // namespace anneal::datasets
