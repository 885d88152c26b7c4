#pragma once
// A model's weights in a Hugging Face folder, whether one model.safetensors or shards with an index: the same tensors
// by name. Which files are read is decided by model.safetensors, else by the index, never by what else lies in the
// folder. Owner of the mapped files; entries are views into them. Reading is safe from any thread.

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/files/safetensors.h"

namespace anneal::engine {

class WeightFolder {
 public:
  WeightFolder() = default;
  // Checks every file before any is used. Throws Error(kInput), or ProblemError with one Problem per wrong tensor.
  static WeightFolder open(const std::string& folder);

  const std::vector<SafetensorsFile>& files() const { return files_; }
  const std::vector<const TensorEntry*>& entries() const { return entries_; }  // file by file, by place
  const TensorEntry* find(std::string_view name) const;                        // null if absent
  const TensorEntry& at(std::string_view name) const;                          // throws Error(kInput) if absent
  int64_t bytes() const;                                                       // of all tensors
  // SHA-256 over every tensor's name, type, shape and a sample of its bytes: other weights under the same names differ
  // in it. Cheap: it touches eight pages of a tensor.
  std::string fingerprint() const;

  // Converts into memory that holds entry.elements() of `target` (F32, F64, F16, BF16).
  void read_as(const TensorEntry& entry, DType target, void* out) const;
  void release() const;  // gives the mapped pages back; entries stay valid and are read again when touched

 private:
  std::vector<Problem> collect_entries();

  std::vector<SafetensorsFile> files_;
  std::vector<const TensorEntry*> entries_;
  std::unordered_map<std::string_view, std::size_t> by_name_;  // place in entries_
  std::vector<std::size_t> file_of_;                           // of each entry
};

// The first tensor that holds an infinity or NaN, as a Problem that names it and the place; empty if all are finite.
std::optional<Problem> find_non_finite(const WeightFolder& weights);

}  // namespace anneal::engine
