#pragma once
// From the bytes of a text that are learned to the tokens that are.

#include <span>
#include <string_view>
#include <vector>

#include "datasets/span.h"
#include "datasets/tokenizers/tokenizer.h"

namespace anneal::datasets {

// One label per token: its id if the token is learned, else kNoLabel. A token is learned if the first byte in it that
// is no blank stands in a learned span (for a token of blanks only: its first byte). So a blank of the template's that
// a tokenizer glues to the answer's first word does not hide that word, and a blank at an answer's end never pulls in a
// word of the template's. `learn` is in order and apart. The first token never has a label.
std::vector<Token> labels_of(const Encoding& encoding, std::string_view text, std::span<const Span> learn);

}  // namespace anneal::datasets
