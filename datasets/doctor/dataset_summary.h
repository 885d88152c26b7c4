#pragma once
// The data doctor: what a data set is, how much of it can be used, and what was noticed.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "datasets/encoding/row_encoder.h"
#include "datasets/encoding/token_statistics.h"
#include "datasets/formats/reader.h"

namespace anneal::datasets {

struct DatasetSummary {
  std::string format;                     // of all files, or "mixed"
  std::vector<FileReading> files;         // what each file was taken for, and why
  std::vector<std::string> notices;       // files that were passed over
  std::vector<std::string> problems;      // files that cannot be read at all: a sentence each
  int64_t rows = 0;                       // that could be read
  int64_t usable = 0;                     // of them those that something is learned from
  Findings findings;                      // by row; bad lines and rows too
  std::optional<TokenStatistics> tokens;  // with a model only
};

// Never stops at bad rows, whatever `options` say: it lists them. Without an encoder only the texts are looked at.
// Throws Error(kInput) where every row would meet the same: texts for a model without a tokenizer. `on_row` is called
// after each row, on this thread; it may throw to leave.
DatasetSummary summarise_dataset(const std::vector<std::string>& paths, const ReadOptions& options,
                                 const RowEncoder* encoder, int threads, const std::function<void()>& on_row = {});

}  // namespace anneal::datasets
