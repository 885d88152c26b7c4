#pragma once
// A GGUF file of versions 2 and 3, read: one file with a model's weights, sizes and tokenizer, as llama.cpp and the
// programs built on it use. Opening maps the file and checks all of it that can be checked before a number is used; the
// tensors are views into the mapping. Reading tensors of an opened file is safe from any thread.

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/files/mapped_file.h"
#include "engine/files/tensor_entry.h"
#include "kernels/core/json.h"

namespace anneal::engine {

class GgufFile {
 public:
  // Throws Error(kInput) with one sentence for whatever is wrong: a cut file, a split one, a type that is not read, …
  static GgufFile open(const std::string& path);

  const std::string& path() const { return file_.path(); }
  // By place in the file, under their GGUF names ("blk.0.attn_q.weight"); shapes as in Hugging Face folders, the length
  // of a row last.
  const std::vector<TensorEntry>& entries() const { return entries_; }
  const TensorEntry* find(std::string_view name) const;  // null if absent
  // One member for each key, in the file's order. Strings are bytes as they stand there, not necessarily UTF-8.
  const Json& metadata() const { return metadata_; }
  const MappedFile& file() const { return file_; }

 private:
  MappedFile file_;
  std::vector<TensorEntry> entries_;
  std::unordered_map<std::string_view, std::size_t> by_name_;  // views of the entries' names
  Json metadata_;
};

}  // namespace anneal::engine
