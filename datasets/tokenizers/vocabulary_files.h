#pragma once
// vocab.json with merges.txt: a byte-level BPE without the description of how a text is cut, which depends on the
// family.

#include <string>
#include <string_view>

#include "datasets/tokenizers/control_tokens.h"
#include "kernels/core/json.h"

namespace anneal::datasets {

// The tokenizer.json that says the same. The family is the config's tokenizer_class (none: GPT-2).
// Throws Error(kInput) for a family that is not known.
Json describe_vocabulary_files(const Json& vocabulary, std::string_view merges, const TokenizerConfig& config,
                               const std::string& where);

}  // namespace anneal::datasets
