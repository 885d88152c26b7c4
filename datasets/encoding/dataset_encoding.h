#pragma once
// A whole data set as tokens: read, encoded by all threads, handed on in order.

#include <functional>
#include <string>
#include <vector>

#include "datasets/encoding/row_encoder.h"
#include "datasets/encoding/token_statistics.h"
#include "datasets/formats/reader.h"

namespace anneal::datasets {

struct EncodingReport {
  ReadReport reading;
  Findings findings;  // of rows that were read; see ReadReport for those that could not be
  int64_t rows_used = 0;
  int64_t rows_made = 0;  // more than used where long documents were split
  TokenStatistics tokens;
};

// Calls on_row for each encoded row, in order. Throws Error(kInput) as for_each_row() and RowEncoder::encode() do, and
// when no row has anything to learn from: a run never starts without a target, and the sentence shows the first row as
// the template writes it.
EncodingReport encode_dataset(const std::vector<std::string>& paths, const ReadOptions& options,
                              const RowEncoder& encoder, int threads,
                              const std::function<void(EncodedRow&&, const Source&)>& on_row);

}  // namespace anneal::datasets
