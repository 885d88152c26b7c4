#include "datasets/cache/token_cache.h"

#include <hdf5.h>

#include <algorithm>
#include <mutex>
#include <numeric>

#include "kernels/core/error.h"

namespace anneal::datasets {
namespace {

constexpr int32_t kNone = -100;
constexpr hsize_t kChunk = 4096;        // elements: a row of usual length touches one or two
constexpr std::size_t kBuffered = 1 << 16;

std::mutex& library_lock() {
  static std::mutex lock;  // the library itself is one global thing
  return lock;
}

// An HDF5 handle of any kind.
class Handle {
 public:
  Handle() = default;
  Handle(hid_t id, herr_t (*close)(hid_t)) : id_(id), close_(close) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  bool good() const { return id_ >= 0; }
  hid_t id() const { return id_; }

 private:
  hid_t id_ = -1;
  herr_t (*close_)(hid_t) = nullptr;
};

void silence_library() { H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); }

Handle make_growing(hid_t file, const char* name, hid_t type) {
  const hsize_t size = 0;
  const hsize_t most = H5S_UNLIMITED;
  const Handle space(H5Screate_simple(1, &size, &most), H5Sclose);
  const Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_chunk(properties.id(), 1, &kChunk);
  return {H5Dcreate2(file, name, type, space.id(), H5P_DEFAULT, properties.id(), H5P_DEFAULT), H5Dclose};
}

bool append_values(hid_t dataset, hid_t type, const void* values, hsize_t begin, hsize_t count) {
  if (count == 0) return true;
  const hsize_t end = begin + count;
  if (H5Dset_extent(dataset, &end) < 0) return false;
  const Handle file_space(H5Dget_space(dataset), H5Sclose);
  H5Sselect_hyperslab(file_space.id(), H5S_SELECT_SET, &begin, nullptr, &count, nullptr);
  const Handle memory_space(H5Screate_simple(1, &count, nullptr), H5Sclose);
  return H5Dwrite(dataset, type, memory_space.id(), file_space.id(), H5P_DEFAULT, values) >= 0;
}

bool write_text(hid_t file, const char* name, const std::string& text) {
  const Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.id(), std::max<std::size_t>(text.size(), 1));
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  // A data set, not an attribute: those are limited to 64 KiB.
  const Handle data(H5Dcreate2(file, name, type.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
  const std::string padded = text.empty() ? std::string(1, '\0') : text;
  return data.good() && H5Dwrite(data.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, padded.data()) >= 0;
}

std::optional<std::string> read_text(hid_t file, const char* name) {
  const Handle data(H5Dopen2(file, name, H5P_DEFAULT), H5Dclose);
  if (!data.good()) return std::nullopt;
  const Handle type(H5Dget_type(data.id()), H5Tclose);
  if (H5Tget_class(type.id()) != H5T_STRING || H5Tis_variable_str(type.id()) > 0) return std::nullopt;
  const std::size_t size = H5Tget_size(type.id());
  if (size > (std::size_t{1} << 28)) return std::nullopt;
  std::string text(size, '\0');
  if (H5Dread(data.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()) < 0) return std::nullopt;
  while (!text.empty() && text.back() == '\0') text.pop_back();
  return text;
}

std::optional<hsize_t> length_of(hid_t dataset) {
  const Handle space(H5Dget_space(dataset), H5Sclose);
  if (!space.good() || H5Sget_simple_extent_ndims(space.id()) != 1) return std::nullopt;
  hsize_t size = 0;
  H5Sget_simple_extent_dims(space.id(), &size, nullptr);
  return size;
}

std::optional<std::vector<int64_t>> read_numbers(hid_t file, const char* name) {
  const Handle data(H5Dopen2(file, name, H5P_DEFAULT), H5Dclose);
  const std::optional<hsize_t> size = data.good() ? length_of(data.id()) : std::nullopt;
  if (!size || *size > (hsize_t{1} << 40)) return std::nullopt;
  std::vector<int64_t> numbers(*size);
  if (*size > 0 && H5Dread(data.id(), H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, numbers.data()) < 0) return std::nullopt;
  return numbers;
}

bool read_values(hid_t dataset, hsize_t begin, hsize_t count, int32_t* values) {
  if (count == 0) return true;
  const Handle file_space(H5Dget_space(dataset), H5Sclose);
  H5Sselect_hyperslab(file_space.id(), H5S_SELECT_SET, &begin, nullptr, &count, nullptr);
  const Handle memory_space(H5Screate_simple(1, &count, nullptr), H5Sclose);
  return H5Dread(dataset, H5T_NATIVE_INT32, memory_space.id(), file_space.id(), H5P_DEFAULT, values) >= 0;
}

}  // namespace

struct TokenCacheWriter::File {
  std::filesystem::path path, partial;
  std::string key;
  Handle file, ids, labels;
  std::vector<int32_t> id_buffer, label_buffer;
  hsize_t written = 0;
  std::vector<int64_t> offsets{0}, label_counts, source_rows;
  bool is_finished = false;

  void check(bool worked) const {
    if (!worked) {
      throw device_error("{}: the token cache cannot be written. Free some space on that disk or set ANNEAL_HOME to another one.",
                         path.string());
    }
  }
  void flush() {
    const std::lock_guard guard(library_lock());
    check(append_values(ids.id(), H5T_NATIVE_INT32, id_buffer.data(), written, id_buffer.size()) &&
          append_values(labels.id(), H5T_NATIVE_INT32, label_buffer.data(), written, label_buffer.size()));
    written += id_buffer.size();
    id_buffer.clear();
    label_buffer.clear();
  }
};

TokenCacheWriter::TokenCacheWriter(const std::filesystem::path& path, const std::string& key)
    : file_(std::make_unique<File>()) {
  std::error_code failed;
  std::filesystem::create_directories(path.parent_path(), failed);
  if (failed) {
    throw input_error("{}: cannot be made ({}). Check the permissions, or set ANNEAL_HOME to another folder.",
                      path.parent_path().string(), failed.message());
  }
  file_->path = path;
  file_->partial = path.string() + ".partial";
  file_->key = key;
  const std::lock_guard guard(library_lock());
  silence_library();
  file_->file = Handle(H5Fcreate(file_->partial.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
  file_->check(file_->file.good());
  file_->ids = make_growing(file_->file.id(), "ids", H5T_STD_I32LE);
  file_->labels = make_growing(file_->file.id(), "labels", H5T_STD_I32LE);
  file_->check(file_->ids.good() && file_->labels.good());
}

TokenCacheWriter::~TokenCacheWriter() {
  const std::lock_guard guard(library_lock());
  const bool unfinished = !file_->is_finished;
  const std::filesystem::path partial = file_->partial;
  file_.reset();
  std::error_code ignored;
  if (unfinished) std::filesystem::remove(partial, ignored);
}

void TokenCacheWriter::append(std::span<const int32_t> ids, std::span<const int32_t> labels, int64_t source_row) {
  ensure(ids.size() == labels.size(), "a cached row has other numbers of ids and labels");
  File& file = *file_;
  file.id_buffer.insert(file.id_buffer.end(), ids.begin(), ids.end());
  file.label_buffer.insert(file.label_buffer.end(), labels.begin(), labels.end());
  file.offsets.push_back(file.offsets.back() + static_cast<int64_t>(ids.size()));
  // Nothing stands before the first place, so its label is never a target.
  const auto first = labels.empty() ? labels.end() : labels.begin() + 1;
  file.label_counts.push_back(std::count_if(first, labels.end(), [](int32_t label) { return label != kNone; }));
  file.source_rows.push_back(source_row);
  if (file.id_buffer.size() >= kBuffered) file.flush();
}

void TokenCacheWriter::finish(const std::string& summary) {
  File& file = *file_;
  file.flush();
  const std::lock_guard guard(library_lock());
  const auto write = [&](const char* name, const std::vector<int64_t>& numbers) {
    const Handle data = make_growing(file.file.id(), name, H5T_STD_I64LE);
    file.check(data.good() && append_values(data.id(), H5T_NATIVE_INT64, numbers.data(), 0, numbers.size()));
  };
  write("offsets", file.offsets);
  write("label_counts", file.label_counts);
  write("source_rows", file.source_rows);
  file.check(write_text(file.file.id(), "summary", summary));
  // Last: a file without its key is not taken for a whole one.
  file.check(write_text(file.file.id(), "key", file.key));
  file.check(H5Fflush(file.file.id(), H5F_SCOPE_GLOBAL) >= 0);
  file.ids = {};
  file.labels = {};
  file.file = {};
  std::error_code failed;
  std::filesystem::rename(file.partial, file.path, failed);
  file.check(!failed);
  file.is_finished = true;
}

struct TokenCache::File {
  std::string path;
  Handle file, ids, labels;
};

TokenCache::TokenCache() : file_(std::make_unique<File>()) {}
TokenCache::TokenCache(TokenCache&&) noexcept = default;
TokenCache& TokenCache::operator=(TokenCache&&) noexcept = default;
TokenCache::~TokenCache() {
  if (!file_) return;
  const std::lock_guard guard(library_lock());
  file_.reset();
}

std::optional<TokenCache> TokenCache::open(const std::filesystem::path& path, const std::string& key) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return std::nullopt;
  TokenCache cache;
  const std::unique_lock guard(library_lock());
  silence_library();
  File& file = *cache.file_;
  file.path = path.string();
  file.file = Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  std::optional<std::vector<int64_t>> offsets, counts, sources;
  std::optional<std::string> summary;
  if (file.file.good() && read_text(file.file.id(), "key") == key) {
    offsets = read_numbers(file.file.id(), "offsets");
    counts = read_numbers(file.file.id(), "label_counts");
    sources = read_numbers(file.file.id(), "source_rows");
    summary = read_text(file.file.id(), "summary");
    file.ids = Handle(H5Dopen2(file.file.id(), "ids", H5P_DEFAULT), H5Dclose);
    file.labels = Handle(H5Dopen2(file.file.id(), "labels", H5P_DEFAULT), H5Dclose);
  }
  const auto is_whole = [&] {
    if (!offsets || !counts || !sources || !summary || offsets->empty() || offsets->front() != 0) return false;
    if (counts->size() + 1 != offsets->size() || sources->size() + 1 != offsets->size()) return false;
    if (!std::is_sorted(offsets->begin(), offsets->end())) return false;
    const auto tokens = static_cast<hsize_t>(offsets->back());
    return file.ids.good() && file.labels.good() && length_of(file.ids.id()) == tokens && length_of(file.labels.id()) == tokens;
  };
  if (!is_whole()) {
    cache.file_.reset();  // under the lock
    return std::nullopt;
  }
  cache.rows_.reserve(counts->size());
  for (std::size_t row = 0; row < counts->size(); ++row) {
    cache.rows_.push_back({(*offsets)[row], (*offsets)[row + 1] - (*offsets)[row], (*counts)[row], (*sources)[row]});
  }
  cache.summary_ = std::move(*summary);
  return cache;
}

int64_t TokenCache::total_tokens() const {
  return std::accumulate(rows_.begin(), rows_.end(), int64_t{0}, [](int64_t sum, const RowPlace& row) { return sum + row.length; });
}

int64_t TokenCache::total_labels() const {
  return std::accumulate(rows_.begin(), rows_.end(), int64_t{0}, [](int64_t sum, const RowPlace& row) { return sum + row.label_count; });
}

int64_t TokenCache::longest() const {
  return std::accumulate(rows_.begin(), rows_.end(), int64_t{0}, [](int64_t most, const RowPlace& row) { return std::max(most, row.length); });
}

void TokenCache::select(std::span<const int64_t> rows) {
  std::vector<RowPlace> selected;
  selected.reserve(rows.size());
  for (const int64_t row : rows) selected.push_back(rows_.at(static_cast<std::size_t>(row)));
  rows_ = std::move(selected);
}

void TokenCache::read(int64_t row, CachedRow& out) const {
  const auto count = static_cast<std::size_t>(length(row));
  out.ids.resize(count);
  out.labels.resize(count);
  const auto begin = static_cast<hsize_t>(at(row).begin);
  const std::lock_guard guard(library_lock());
  if (!read_values(file_->ids.id(), begin, count, out.ids.data()) ||
      !read_values(file_->labels.id(), begin, count, out.labels.data())) {
    throw device_error("{}: the token cache cannot be read any more. Remove it and start again.", file_->path);
  }
}

}  // namespace anneal::datasets
