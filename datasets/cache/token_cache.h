#pragma once
// A data set as tokens, in an HDF5 file: made once, read in any order. The file's attributes hold the key that it was
// made under (hashes of the sources, tokenizer, template and options): another key means make it again.
//
// Debian's HDF5 is a serial library: every call of this folder holds one lock, so that caches may be used from any
// thread, one at a time.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace anneal::datasets {

// labels[j] is the id to be predicted AT place j from the places before it; -100 for none. As many as ids.
struct CachedRow {
  std::vector<int32_t> ids;
  std::vector<int32_t> labels;
};

// Writes rows one after another to `path`.partial; the file appears under its name when finish() returns.
class TokenCacheWriter {
 public:
  TokenCacheWriter(const std::filesystem::path& path, const std::string& key);
  ~TokenCacheWriter();  // unfinished: the partial file is removed
  TokenCacheWriter(const TokenCacheWriter&) = delete;
  TokenCacheWriter& operator=(const TokenCacheWriter&) = delete;

  // `source_row` counts the rows of the data files from 1. Throws Error(kDevice) on a full disk.
  void append(std::span<const int32_t> ids, std::span<const int32_t> labels, int64_t source_row);
  // `summary` is kept with the rows (findings, counts): any text.
  void finish(const std::string& summary);

 private:
  struct File;
  std::unique_ptr<File> file_;
};

class TokenCache {
 public:
  // Empty if there is no file, it was made under another key, or it is damaged (then it is to be made again).
  static std::optional<TokenCache> open(const std::filesystem::path& path, const std::string& key);
  TokenCache(TokenCache&&) noexcept;
  TokenCache& operator=(TokenCache&&) noexcept;
  ~TokenCache();

  int64_t rows() const { return static_cast<int64_t>(rows_.size()); }
  int64_t length(int64_t row) const { return at(row).length; }
  // Places with a label. (The first place of a row is never predicted.)
  int64_t label_count(int64_t row) const { return at(row).label_count; }
  int64_t source_row(int64_t row) const { return at(row).source_row; }
  int64_t total_tokens() const;
  int64_t total_labels() const;
  int64_t longest() const;
  const std::string& summary() const { return summary_; }
  // Keeps these rows alone, in this order: a part of a data set.
  void select(std::span<const int64_t> rows);
  // Overwrites `row`, keeping its memory where it suffices.
  void read(int64_t row, CachedRow& out) const;

 private:
  struct RowPlace {
    int64_t begin;  // first token in the file
    int64_t length;
    int64_t label_count;
    int64_t source_row;
  };
  TokenCache();
  const RowPlace& at(int64_t row) const { return rows_[static_cast<std::size_t>(row)]; }
  struct File;
  std::unique_ptr<File> file_;
  std::vector<RowPlace> rows_;
  std::string summary_;
};

}  // namespace anneal::datasets
