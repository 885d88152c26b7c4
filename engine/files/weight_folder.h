#pragma once
// A model's weights, whether one model.safetensors, shards with an index, or one GGUF file: the same tensors by name.
// Which files of a folder are read is decided by model.safetensors, else by the index, never by what else lies there.
// Owner of the mapped files; entries are views into them. Reading is safe from any thread.

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/files/gguf/gguf_file.h"
#include "engine/files/safetensors.h"

namespace anneal::engine {

class WeightFolder {
 public:
  WeightFolder() = default;
  // Checks every file before any is used. Throws Error(kInput), or ProblemError with one Problem per wrong tensor.
  static WeightFolder open(const std::string& folder);

  // The same over a GGUF file. `entries`: views of its tensors under the names of a Hugging Face folder.
  static WeightFolder of_gguf(GgufFile file, std::vector<TensorEntry> entries);

  const GgufFile* gguf() const { return gguf_.empty() ? nullptr : &gguf_.front(); }  // null: safetensors
  const std::vector<const TensorEntry*>& entries() const { return entries_; }        // file by file, by place
  const TensorEntry* find(std::string_view name) const;                              // null if absent
  const TensorEntry& at(std::string_view name) const;                                // throws Error(kInput) if absent
  const std::string& path_of(const TensorEntry& entry) const;                        // of the file that holds it
  int64_t bytes() const;                                                             // of all tensors
  // SHA-256 over every tensor's name, type, shape and a sample of its bytes: other weights under the same names differ
  // in it. Cheap: it touches eight pages of a tensor.
  std::string fingerprint() const;

  // Converts into memory that holds entry.elements() of `target` (F32, F64, F16, BF16).
  void read_as(const TensorEntry& entry, DType target, void* out) const;
  void release() const;  // gives the mapped pages back; entries stay valid and are read again when touched

 private:
  std::vector<Problem> collect_entries();
  const MappedFile& file_of(const TensorEntry& entry) const;

  std::vector<SafetensorsFile> files_;
  std::vector<GgufFile> gguf_;  // at most one, with the entries under their new names
  std::vector<TensorEntry> renamed_;
  std::vector<const TensorEntry*> entries_;
  std::unordered_map<std::string_view, std::size_t> by_name_;  // place in entries_
  std::vector<std::size_t> files_of_;                          // of each entry
};

// The first tensor that holds an infinity or NaN, as a Problem that names it and the place; empty if all are finite.
std::optional<Problem> find_non_finite(const WeightFolder& weights);

}  // namespace anneal::engine
