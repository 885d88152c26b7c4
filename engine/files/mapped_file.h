#pragma once
// A file's bytes as memory, read-only. Pages come in when they are touched and may be given back at any time.
// Owner, move-only; reading is safe from any thread. A page past the end of a file that was shortened meanwhile would
// end the program: call check_unchanged() before each large read, so that it is a sentence instead.

#include <cstddef>
#include <span>
#include <string>

#include "engine/files/open_file.h"

namespace anneal::engine {

class MappedFile {
 public:
  MappedFile() = default;
  explicit MappedFile(const std::string& path);  // throws Error(kInput) when it cannot be opened
  ~MappedFile();
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;

  std::span<const std::byte> bytes() const { return bytes_; }  // the same address for the owner's whole life
  const std::string& path() const { return file_.path(); }

  void check_unchanged() const;  // throws Error(kInput) when the file is now another size than at opening
  void release() const;          // gives the pages back to the system; a later touch reads them again

 private:
  OpenFile file_;
  std::span<const std::byte> bytes_;
};

}  // namespace anneal::engine
