#pragma once
// What happens to rows that are longer than the limit. Nobody's end is invented: a row whose answer lost its end
// carries no end token.

#include <cstdint>
#include <optional>
#include <vector>

#include "datasets/encoding/encoded_row.h"

namespace anneal::datasets {

enum class TooLong {
  kSkip,        // the row is left out
  kTrimPrompt,  // it loses its beginning, but never any of its last answer; otherwise it is left out
  kCut,         // it loses its end; left out if no label remains
};

// Empty: the row is left out. A begin token in front stays in front (`begin`: that token, if the tokenizer has one).
std::optional<EncodedRow> fit_into(EncodedRow row, int64_t limit, TooLong too_long, std::optional<Token> begin);

// A text in consecutive rows of at most `limit` tokens; every token stands in exactly one of them. The first token of
// each is context only.
std::vector<EncodedRow> split_into(EncodedRow row, int64_t limit);

}  // namespace anneal::datasets
