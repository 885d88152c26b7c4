#pragma once
// Files that are either wholly there or not there at all: written as "NAME.partial", flushed to the disk, then renamed,
// then the folder is flushed. A file of that name from before stays as it was until the last moment.
// One thread per DurableFile. A full disk is a type of its own, because a run can wait for space and try again.

#include <cstdint>
#include <string>
#include <string_view>

#include "kernels/core/error.h"

namespace anneal::engine {

// The disk (or the person's quota on it) has no room. Nothing was lost: the partial file is removed, the old one
// stands.
class DiskFull : public Error {
 public:
  DiskFull(std::string path, int64_t bytes_wanted);
  const std::string& path() const { return path_; }
  int64_t bytes_wanted() const { return bytes_wanted_; }  // of the write that failed; 0 if not known

 private:
  std::string path_;
  int64_t bytes_wanted_;
};

// The operating system's calls by which durable files are written. A test overrides one to make a disk full or broken.
// Every call answers a negative errno on failure, else what stands beside it.
class FileWriter {
 public:
  virtual ~FileWriter() = default;
  virtual int create(const std::string& path);                                          // a file descriptor
  virtual int64_t write_at(int file, int64_t offset, const void* data, int64_t bytes);  // bytes written, may be fewer
  virtual int flush(int file);                                                          // 0
  virtual int close(int file);                                                          // 0
  virtual int rename(const std::string& from, const std::string& to);                   // 0
  virtual int flush_folder(const std::string& path);                                    // 0
  virtual int remove(const std::string& path);                                          // 0
};

FileWriter& system_files();  // the real ones; without state, safe from any thread

// One file being written. Not committed when destroyed: the partial file is removed.
class DurableFile {
 public:
  explicit DurableFile(std::string path, FileWriter& writer = system_files());
  ~DurableFile();
  DurableFile(const DurableFile&) = delete;
  DurableFile& operator=(const DurableFile&) = delete;

  const std::string& path() const { return path_; }
  void append(const void* data, int64_t bytes);
  void write_at(int64_t offset, const void* data, int64_t bytes);  // does not move where append() goes on
  void commit();  // flush, rename, flush the folder; nothing may be written afterwards

 private:
  std::string path_;
  std::string partial_;
  FileWriter& writer_;
  int file_ = -1;
  int64_t end_ = 0;
  bool exists_ = false;  // the partial file is on the disk and is ours to remove
};

void write_text_durably(const std::string& path, std::string_view text, FileWriter& writer = system_files());

// The bytes of a file, in a new file with the permissions of any new file.
void copy_durably(const std::string& from, const std::string& to, FileWriter& writer = system_files());

// Renames a file or folder and flushes the folder it stands in; a checkpoint's folder becomes valid by this.
void rename_durably(const std::string& from, const std::string& to, FileWriter& writer = system_files());

}  // namespace anneal::engine
