#include "datasets/encoding/continuation.h"

#include <algorithm>
#include <string>

namespace anneal::datasets {
namespace {

// Texts to put before the rest, which end in a token of their own before nearly everything.
constexpr std::string_view kAnchors[] = {"\n", "0", "a", "."};

// The tokens behind the anchor; empty optional if one of them holds a part of it.
std::optional<std::vector<Token>> behind_anchor(const Encoding& encoding, std::size_t anchor_size) {
  std::size_t first = 0;
  while (first < encoding.ids.size() && encoding.offsets[first].begin < anchor_size) {
    if (encoding.offsets[first].end > anchor_size) return std::nullopt;
    ++first;
  }
  return std::vector<Token>(encoding.ids.begin() + static_cast<std::ptrdiff_t>(first), encoding.ids.end());
}

}  // namespace

ContinuationEncoder::ContinuationEncoder(const Tokenizer& tokenizer) : tokenizer_(tokenizer) {
  if (!tokenizer.reads_text()) return;
  const EncodeOptions plain{.add_special_tokens = false};
  const std::optional<std::vector<Token>> in_the_middle = behind_anchor(tokenizer.encode("\na", plain), 1);
  puts_something_in_front_ = in_the_middle && tokenizer.encode("a", plain).ids != *in_the_middle;
}

std::vector<Token> ContinuationEncoder::encode_start(std::string_view text) const {
  return tokenizer_.encode(text, {.add_special_tokens = false}).ids;
}

std::vector<Token> ContinuationEncoder::encode_rest(std::string_view text) const {
  if (text.empty()) return {};
  if (!puts_something_in_front_) return encode_start(text);
  for (const std::string_view anchor : kAnchors) {
    const Encoding encoding = tokenizer_.encode(std::string(anchor).append(text), {.add_special_tokens = false});
    if (std::optional<std::vector<Token>> rest = behind_anchor(encoding, anchor.size())) return *std::move(rest);
  }
  return encode_start(text);
}

}  // namespace anneal::datasets
