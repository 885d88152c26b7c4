#pragma once
// Keeps other processes out while a small file is read and written again. Released with its owner, or by the system
// when the process dies.

#include <filesystem>

namespace anneal::engine {

class FileLock {
 public:
  // Makes the folder of `file` (0700) and the file itself where needed, and waits for the lock. Throws Error(kInput).
  explicit FileLock(const std::filesystem::path& file);
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  int file_ = -1;
};

}  // namespace anneal::engine
