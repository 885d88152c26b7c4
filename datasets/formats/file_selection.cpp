// The files that a person's paths stand for.

#include <algorithm>
#include <filesystem>
#include <set>

#include "datasets/formats/reader.h"
#include "kernels/core/error.h"

namespace anneal::datasets {
namespace {

namespace fs = std::filesystem;

constexpr int kMaxDepth = 32;
constexpr std::size_t kMaxFiles = 1'000'000;

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

enum class Kind { kRecords, kText, kOther };

Kind kind_of(const fs::path& file) {
  fs::path name = lower(file.filename().string());
  if (name.extension() == ".gz" || name.extension() == ".zst") name = name.stem();
  const std::string extension = name.extension().string();
  for (const char* known : {".jsonl", ".json", ".ndjson", ".csv", ".tsv", ".tab"}) {
    if (extension == known) return Kind::kRecords;
  }
  for (const char* known : {".txt", ".md", ".markdown", ".text"}) {
    if (extension == known) return Kind::kText;
  }
  return Kind::kOther;
}

// Files that describe a data set and hold none of it.
bool is_description(const std::string& name) {
  for (const char* known : {"dataset_info.json", "dataset_infos.json", "dataset_dict.json", "state.json"}) {
    if (name == known) return true;
  }
  return false;
}

class FolderSearch {
 public:
  explicit FolderSearch(FileSelection& selection) : selection_(selection) {}

  void run(const fs::path& folder) {
    search(folder, 0);
    std::sort(records_.begin(), records_.end());
    std::sort(texts_.begin(), texts_.end());
    // Beside files of rows, texts are the read-me and the licence.
    const bool use_texts = records_.empty();
    if (!use_texts) {
      for (const std::string& text : texts_) pass_over(text, "a text beside files of rows");
    }
    const std::vector<std::string>& chosen = use_texts ? texts_ : records_;
    if (chosen.empty()) {
      throw input_error("{}: the folder holds no .jsonl, .json, .csv, .tsv, .txt or .md file. Choose another one.",
                        printable(folder.string(), 400));
    }
    selection_.files.insert(selection_.files.end(), chosen.begin(), chosen.end());
  }

 private:
  void search(const fs::path& folder, int depth) {
    // A link may lead back to a folder above it.
    std::error_code error;
    const fs::path real = fs::canonical(folder, error);
    if (error || depth > kMaxDepth || !seen_.insert(real.string()).second) return;
    fs::directory_iterator entries(folder, error);
    if (error) {
      throw input_error("{}: the folder cannot be read ({}). Check its permissions.", printable(folder.string(), 400),
                        error.message());
    }
    for (const fs::directory_entry& entry : entries) {
      const std::string name = entry.path().filename().string();
      if (name.starts_with(".")) continue;
      if (entry.is_directory(error)) {
        search(entry.path(), depth + 1);
      } else if (entry.is_regular_file(error)) {
        add(entry.path(), name);
      }
    }
  }
  void add(const fs::path& file, const std::string& name) {
    if (records_.size() + texts_.size() >= kMaxFiles) {
      throw input_error("{}: the folder holds more than {} files. Join them.",
                        printable(file.parent_path().string(), 400), kMaxFiles);
    }
    if (is_description(name)) return pass_over(file.string(), "it describes a data set");
    switch (kind_of(file)) {
      case Kind::kRecords:
        records_.push_back(file.string());
        return;
      case Kind::kText:
        texts_.push_back(file.string());
        return;
      case Kind::kOther:
        return pass_over(file.string(), "not a known data file");
    }
  }
  void pass_over(const std::string& file, std::string_view why) {
    if (selection_.notices.size() < 100) {
      selection_.notices.push_back(fmt::format("{}: passed over, {}.", printable(file, 400), why));
    }
  }

  FileSelection& selection_;
  std::vector<std::string> records_;
  std::vector<std::string> texts_;
  std::set<std::string> seen_;
};

}  // namespace

FileSelection select_files(const std::vector<std::string>& paths) {
  FileSelection selection;
  for (const std::string& path : paths) {
    std::error_code error;
    if (fs::is_directory(path, error)) {
      selection.errors.collect([&] { FolderSearch(selection).run(path); });
    } else {
      selection.files.push_back(path);
    }
  }
  return selection;
}

}  // namespace anneal::datasets
