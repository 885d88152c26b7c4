#pragma once
// How rows become tokens for a model: its tokenizer, its chat template or the chosen one, the recipe's options.

#include <memory>
#include <string>
#include <vector>

#include "datasets/encoding/row_encoder.h"
#include "datasets/formats/reader.h"
#include "datasets/tokenizers/tokenizer.h"
#include "engine/architecture/architecture.h"
#include "engine/recipe/recipe.h"

namespace anneal::engine {

struct RowEncoding {
  std::unique_ptr<datasets::Tokenizer> tokenizer;
  std::unique_ptr<datasets::RowEncoder> encoder;  // refers to the tokenizer
  int64_t max_sequence_length = 0;
  std::vector<std::string> facts;  // what was decided, a sentence each
};

// `folder` holds the tokenizer's and the template's files. Without any tokenizer only ready-made tokens can be encoded.
// Throws Error(kInput).
RowEncoding make_row_encoding(const std::string& folder, const Architecture& architecture, const DataOptions& data);

// The same for looking at data: what a run would stop at is listed instead.
DataOptions listing_options(DataOptions data);

// How the recipe wants data files to be read.
datasets::ReadOptions reading_options(const DataOptions& data);

}  // namespace anneal::engine
