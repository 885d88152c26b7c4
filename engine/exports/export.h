#pragma once
// A trained model in a form for other programs. Each export writes, reads back what it wrote, and compares it with the
// trained model before it is called done. Adding one: its file, and a line in export_list.h.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/session/model_source.h"

namespace anneal::engine {

struct ExportRequest {
  std::filesystem::path out;   // a folder that is new or empty
  std::optional<DType> dtype;  // of merged weights; unset: the base's own
};

struct ExportedFile {
  std::string path;
  int64_t bytes = 0;
  std::string sha256;
};

// What was written against what was trained, on the same tokens.
struct Verification {
  int64_t positions = 0;
  int64_t same_top1 = 0;
  double max_logit_difference = 0;
  bool pass = false;
};

struct ExportResult {
  std::vector<ExportedFile> files;
  Verification verified;
  std::vector<std::string> notices;
};

struct ExportFormat {
  std::string_view name;  // "merged"
  std::string_view summary;
  ExportResult (*run)(const ModelSource& source, const ExportRequest& request, Backend& backend);
};

// All files of a folder with their hashes, by name.
std::vector<ExportedFile> list_files(const std::filesystem::path& folder);
// Throws Error(kInput) unless the folder is new or empty; makes it.
void make_export_folder(const std::filesystem::path& folder);

}  // namespace anneal::engine
