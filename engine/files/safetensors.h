#pragma once
// A safetensors file, read and written. Reading maps the file and checks all of it that can be checked before a number
// is used; the tensors are views into the mapping. Writing takes the tensors in any order and in pieces.
// One thread per object; reading tensors of an opened file is safe from any.

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/files/durable_file.h"
#include "engine/files/mapped_file.h"
#include "engine/files/tensor_entry.h"

namespace anneal::engine {

class SafetensorsFile {
 public:
  // Throws Error(kInput) with one sentence for whatever is wrong: a cut file, a git-lfs pointer, a web page, …
  static SafetensorsFile open(const std::string& path);

  const std::string& path() const { return file_.path(); }
  const std::vector<TensorEntry>& entries() const { return entries_; }  // by place in the file
  const TensorEntry* find(std::string_view name) const;                 // null if absent
  const std::map<std::string, std::string>& metadata() const { return metadata_; }
  const MappedFile& file() const { return file_; }

 private:
  MappedFile file_;
  std::vector<TensorEntry> entries_;
  std::unordered_map<std::string_view, std::size_t> by_name_;  // views of the entries' names
  std::map<std::string, std::string> metadata_;
};

// A tensor that is going to be written.
struct TensorSpec {
  std::string name;
  DType dtype = DType::kF32;
  std::vector<int64_t> shape;
  int64_t bytes() const;
};

class SafetensorsWriter {
 public:
  // Lays the file out and writes its header. Wider element types come first, so that every tensor is aligned.
  SafetensorsWriter(std::string path, const std::vector<TensorSpec>& tensors, FileWriter& writer = system_files());

  // The next bytes of that tensor; tensors may be filled in any order and alternately. Throws DiskFull.
  void write(std::string_view name, const void* data, int64_t bytes);
  // Every tensor must be complete. Throws DiskFull; the file is there when this returns.
  void finish();

 private:
  struct Place {
    int64_t next;
    int64_t end;
  };
  DurableFile file_;
  std::map<std::string, Place, std::less<>> places_;
};

}  // namespace anneal::engine
