#pragma once
// The tokenizer inside a GGUF file ("tokenizer.ggml.*"), said as the files of a Hugging Face folder say it, so that one
// reading serves both and what is written beside an export is what was trained with.

#include <string>

#include "datasets/tokenizers/loading.h"
#include "kernels/core/json.h"

namespace anneal::datasets {

// `metadata`: the file's keys; `where`: its name. Byte-pair vocabularies ("gpt2") become tokenizer.json, SentencePiece
// ones ("llama") tokenizer.model; both with tokenizer_config.json, which holds the chat template. A file without a
// vocabulary gives none. Throws Error(kInput) for another kind of vocabulary, one whose way of cutting words is not
// known, and lists that do not fit each other.
TokenizerFiles describe_gguf_vocabulary(const Json& metadata, const std::string& where);

}  // namespace anneal::datasets
