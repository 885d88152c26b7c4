#pragma once
// Stands in for the tokenizer of a model that came without one: it knows ids and no text, so that ready-made tokens can
// be learned from and shown all the same.

#include <memory>
#include <string>

#include "datasets/tokenizers/tokenizer.h"

namespace anneal::datasets {

// encode() of any text throws Error(kInput) with `why`, a whole sentence with its remedy. An id is shown as "[17]".
std::unique_ptr<Tokenizer> make_id_tokenizer(int64_t vocabulary_size, std::string why);

}  // namespace anneal::datasets
