#include "engine/exports/export.h"

#include <algorithm>

#include "engine/files/durable_file.h"
#include "kernels/core/sha256.h"

namespace anneal::engine {

namespace {

// All files of a folder with their hashes, by name.
std::vector<ExportedFile> list_files(const std::filesystem::path& folder) {
  std::vector<ExportedFile> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    files.push_back(
        {entry.path().string(), static_cast<int64_t>(entry.file_size()), sha256_of_file(entry.path().string())});
  }
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
  return files;
}

// Removed with what is in it unless it was moved to its place.
class UnfinishedFolder {
 public:
  explicit UnfinishedFolder(std::filesystem::path finished) : finished_(std::move(finished)) {
    if (std::filesystem::exists(finished_) &&
        (!std::filesystem::is_directory(finished_) || !std::filesystem::is_empty(finished_))) {
      throw input_error("{}: is there already and not empty. Give another --out.", finished_.string());
    }
    path_ = finished_.string() + ".unfinished";
    std::error_code failed;
    std::filesystem::remove_all(path_, failed);  // of an export that was killed
    std::filesystem::create_directories(path_, failed);
    if (failed) {
      throw input_error("{}: cannot be made ({}). Check the path and its permissions.", path_.string(),
                        failed.message());
    }
  }
  ~UnfinishedFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  UnfinishedFolder(const UnfinishedFolder&) = delete;
  UnfinishedFolder& operator=(const UnfinishedFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  void finish() {
    std::filesystem::remove(finished_);  // an empty folder
    rename_durably(path_.string(), finished_.string());
  }

 private:
  std::filesystem::path finished_;
  std::filesystem::path path_;
};

// Absolute, without a slash at its end.
std::filesystem::path folder_named(const std::filesystem::path& folder) {
  const std::filesystem::path whole = std::filesystem::absolute(folder).lexically_normal();
  return whole.has_filename() ? whole : whole.parent_path();
}

}  // namespace

ExportResult run_export(const ExportFormat& format, const ModelSource& source, const ExportRequest& request,
                        Backend& backend) {
  const std::filesystem::path out = folder_named(request.out);
  UnfinishedFolder folder(out);
  ExportResult result = format.run(source, {.out = folder.path(), .dtype = request.dtype}, backend);
  folder.finish();
  result.files = list_files(out);
  return result;
}

}  // namespace anneal::engine
