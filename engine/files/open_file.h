#pragma once
// Opens a regular file for reading, with a sentence for everything that may be in the way: absent, a folder, a pipe or
// device (which could block for ever), no permission. Whole small text files are read here too.

#include <cstdint>
#include <string>

namespace anneal::engine {

// Owner of a file descriptor; move-only.
class OpenFile {
 public:
  OpenFile() = default;
  explicit OpenFile(std::string path);  // throws Error(kInput)
  ~OpenFile();
  OpenFile(OpenFile&& other) noexcept;
  OpenFile& operator=(OpenFile&& other) noexcept;

  int descriptor() const { return descriptor_; }
  const std::string& path() const { return path_; }
  int64_t size() const;  // asked anew each time: a file may grow or shrink while it is open

 private:
  std::string path_;
  int descriptor_ = -1;
};

// Whether something of this name is there. Throws Error(kInput) where a folder on the way may not be looked into.
bool is_there(const std::string& path);

// The whole file as text. Longer than `limit_bytes`: refused, so that a wrong path cannot eat the memory.
std::string read_text_file(const std::string& path, int64_t limit_bytes);

std::string shown_path(const std::string& path);  // printable, long enough for real paths

}  // namespace anneal::engine
