#pragma once
// From a person's files to a token cache that the loader reads: made once, found again by its key.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "datasets/cache/token_cache.h"
#include "datasets/encoding/row_encoder.h"
#include "datasets/formats/reader.h"

namespace anneal::engine {

struct DataFacts {
  std::string format;   // "alpaca"
  int64_t rows = 0;     // that the files hold
  int64_t encoded = 0;  // rows of tokens that are learned from
  int64_t tokens = 0;
  int64_t label_tokens = 0;
  int64_t longest = 0;                 // tokens
  std::vector<std::string> sentences;  // what was taken for what, and what was left out and why
};

struct PreparedData {
  datasets::TokenCache cache;
  DataFacts facts;
  std::string key;
  std::filesystem::path path;  // of the cache
};

// Called for every row; may throw to leave.
using DataProgress = std::function<void(const std::string& what, int64_t done)>;

// Throws Error(kInput) for files that cannot be read, and when nothing is left to learn from. `cache_folder` usually
// lies under ANNEAL_HOME.
PreparedData prepare_data(const std::vector<std::string>& paths, const datasets::ReadOptions& reading,
                          const datasets::RowEncoder& encoder, const std::filesystem::path& cache_folder, int threads,
                          const DataProgress& progress = {});

}  // namespace anneal::engine
