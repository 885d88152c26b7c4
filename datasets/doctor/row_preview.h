#pragma once
// One row as a person sees it before the start: its text, its tokens, and which of them are learned.

#include <string>
#include <vector>

#include "datasets/encoding/row_encoder.h"
#include "datasets/formats/reader.h"

namespace anneal::datasets {

struct PreviewToken {
  Token id = 0;
  std::string text;  // what becomes readable with this token: empty while a character is incomplete
  bool learn = false;
};

struct RowPreview {
  std::string name;  // which part, where a row has several: "chosen", "rejected", "2 of 5"; else empty
  std::string text;  // of all tokens, control tokens too
  std::vector<PreviewToken> tokens;
  std::string cut;  // "none", "prompt_trimmed", "answer_cut", "split", or "left_out": then all tokens are shown
};

struct RowPreviews {
  std::vector<RowPreview> parts;  // at least one, unless the template refuses the row
  std::vector<Finding> findings;
};

RowPreviews preview_row(const Row& row, const RowEncoder& encoder);

// The row of this number, from 1, over all files. Throws Error(kInput) if there is none or it is bad.
Row find_row(const std::vector<std::string>& paths, const ReadOptions& options, int64_t number);

}  // namespace anneal::datasets
