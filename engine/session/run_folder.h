#pragma once
// Where things lie in a run's folder.

#include <filesystem>
#include <string>

namespace anneal::engine {

class RunFolder {
 public:
  explicit RunFolder(std::filesystem::path path) : path_(std::move(path)) {}
  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path recipe() const { return path_ / "recipe.json"; }
  std::filesystem::path checkpoints() const { return path_ / "checkpoints"; }
  std::filesystem::path base() const { return path_ / "base"; }  // the base model's files but its weights
  std::filesystem::path log() const { return path_ / "log.txt"; }

 private:
  std::filesystem::path path_;
};

// Copies the base model's config, tokenizer, template and licence files: everything but weights, byte for byte.
void copy_base_files(const std::filesystem::path& model_folder, const std::filesystem::path& to);

}  // namespace anneal::engine
