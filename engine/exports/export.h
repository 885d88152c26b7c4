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
  // Fills the empty folder `request.out`; the list of files is added by run_export.
  ExportResult (*run)(const ModelSource& source, const ExportRequest& request, Backend& backend);
};

// Writes beside `request.out` and moves it there when it is whole: a folder of that name is a finished export. Throws
// Error(kInput) unless `request.out` is new or empty.
ExportResult run_export(const ExportFormat& format, const ModelSource& source, const ExportRequest& request,
                        Backend& backend);

}  // namespace anneal::engine
