#pragma once
// The parts of a batch in the order in which threads take them: longest documents first, the parts of one document from
// the last to the first.

#include <algorithm>
#include <span>

#include "kernels/ops/attention/attention_blocks.h"

namespace anneal::cpu {

struct AttentionPart {
  int32_t document;
  int32_t index;  // in the document
};

inline QueryRange queries_of(const AttentionBlocks& blocks, int64_t part, int64_t length) {
  return {part * blocks.part_queries, std::min(length, (part + 1) * blocks.part_queries)};
}

// Writes the list to `memory`, which has room for one part a token.
inline std::span<const AttentionPart> list_parts(std::span<const int32_t> bounds, const AttentionBlocks& blocks,
                                                 AttentionPart* memory) {
  const auto length = [&](int32_t document) {
    return bounds[static_cast<std::size_t>(document) + 1] - bounds[static_cast<std::size_t>(document)];
  };
  AttentionPart* end = memory;
  for (int32_t document = 0; document + 1 < static_cast<int32_t>(bounds.size()); ++document) {
    const auto parts = static_cast<int32_t>(blocks.parts(length(document)));
    for (int32_t index = 0; index < parts; ++index) *end++ = {document, index};
  }
  std::sort(memory, end, [&](const AttentionPart& a, const AttentionPart& b) {
    if (a.document == b.document) return a.index > b.index;
    if (length(a.document) != length(b.document)) return length(a.document) > length(b.document);
    return a.document < b.document;
  });
  return {memory, end};
}

}  // namespace anneal::cpu
