#include "engine/exports/export.h"

#include <algorithm>

#include "kernels/core/sha256.h"

namespace anneal::engine {

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

void make_export_folder(const std::filesystem::path& folder) {
  std::error_code failed;
  if (std::filesystem::exists(folder) &&
      (!std::filesystem::is_directory(folder) || !std::filesystem::is_empty(folder))) {
    throw input_error("{}: is there already and not empty. Give another --out.", folder.string());
  }
  std::filesystem::create_directories(folder, failed);
  if (failed)
    throw input_error("{}: cannot be made ({}). Check the path and its permissions.", folder.string(),
                      failed.message());
}

}  // namespace anneal::engine
