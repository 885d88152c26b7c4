#pragma once
// A tokenizer that every text fits: one token per byte and a few special ones, in the form of tokenizer.json. It makes
// new, tiny models complete, so that they can be trained, chatted with and exported without a download.

#include <cstdint>

#include "kernels/core/json.h"

namespace anneal::engine {

// Ids 0 to 255 are the bytes.
struct ByteTokenizer {
  static constexpr int64_t kBegin = 256;      // <s>
  static constexpr int64_t kEnd = 257;        // </s>
  static constexpr int64_t kTurnBegin = 258;  // <|im_start|>
  static constexpr int64_t kTurnEnd = 259;    // <|im_end|>

  bool has_chat = true;  // with the tokens of turns and a chat template

  int64_t tokens() const { return has_chat ? 260 : 258; }
  int64_t end_token() const { return has_chat ? kTurnEnd : kEnd; }
  Json tokenizer_json() const;
  Json tokenizer_config(int64_t max_length) const;
};

}  // namespace anneal::engine
