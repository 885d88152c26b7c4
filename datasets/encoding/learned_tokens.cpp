#include "datasets/encoding/learned_tokens.h"

#include <algorithm>

#include "datasets/conversation.h"
#include "kernels/core/error.h"

namespace anneal::datasets {
namespace {

std::size_t deciding_byte(const Span& token, std::string_view text) {
  const std::size_t at = text.substr(0, token.end).find_first_not_of(" \t\r\n", token.begin);
  return at == std::string_view::npos ? token.begin : at;
}

}  // namespace

std::vector<Token> labels_of(const Encoding& encoding, std::string_view text, std::span<const Span> learn) {
  ensure(encoding.ids.size() == encoding.offsets.size(), "an encoding without an offset for each token");
  std::vector<Token> labels(encoding.ids.size(), kNoLabel);
  for (std::size_t j = 1; j < labels.size(); ++j) {
    if (encoding.offsets[j].empty()) continue;
    const std::size_t byte = deciding_byte(encoding.offsets[j], text);
    const auto next = std::upper_bound(learn.begin(), learn.end(), byte,
                                       [](std::size_t at, const Span& span) { return at < span.begin; });
    if (next != learn.begin() && byte < std::prev(next)->end) labels[j] = encoding.ids[j];
  }
  return labels;
}

}  // namespace anneal::datasets
