#include "engine/files/durable_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>
#include <vector>

#include "engine/files/open_file.h"

namespace anneal::engine {
namespace {

constexpr std::size_t kPathShown = 400;

int64_t or_errno(int64_t result) { return result < 0 ? -int64_t{errno} : result; }

// Turns a negative errno of a write-side call into the sentence for it.
[[noreturn]] void fail(int64_t result, const std::string& path, const char* doing, int64_t bytes = 0) {
  const int code = static_cast<int>(-result);
  if (code == ENOSPC || code == EDQUOT) throw DiskFull(path, bytes);
  const std::string shown = printable(path, kPathShown);
  if (code == EACCES || code == EPERM || code == EROFS) {
    throw input_error("{}: cannot be {} ({}). Choose a folder in which you may write.", shown, doing,
                      std::strerror(code));
  }
  if (code == ENOENT || code == ENOTDIR) {
    throw input_error("{}: cannot be {}, its folder does not exist. Make the folder or choose another.", shown, doing);
  }
  if (code == EISDIR || code == ENOTEMPTY || code == EEXIST) {
    throw input_error("{}: cannot be {}, a folder of that name is in the way. Choose another name.", shown, doing);
  }
  if (code == EFBIG) {
    throw input_error("{}: is larger than this disk's file system or your limits allow. Choose another disk.", shown);
  }
  throw device_error("{}: cannot be {} ({}). Check the disk.", shown, doing, std::strerror(code));
}

void check(int64_t result, const std::string& path, const char* doing) {
  if (result < 0) fail(result, path, doing);
}

std::string folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

std::string disk_full_sentence(const std::string& path, int64_t bytes) {
  const std::string shown = printable(path, kPathShown);
  if (bytes <= 0)
    return fmt::format("{}: the disk is full. Free some space there; nothing that was there is lost.", shown);
  return fmt::format(
      "{}: the disk is full, {} more bytes did not fit. Free some space there; nothing that was there is lost.", shown,
      bytes);
}

}  // namespace

DiskFull::DiskFull(std::string path, int64_t bytes_wanted)
    : Error(ErrorKind::kInput, disk_full_sentence(path, bytes_wanted)),
      path_(std::move(path)),
      bytes_wanted_(bytes_wanted) {}

int FileWriter::create(const std::string& path) {
  return static_cast<int>(or_errno(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)));
}

int64_t FileWriter::write_at(int file, int64_t offset, const void* data, int64_t bytes) {
  constexpr int64_t kAtOnce = int64_t{1} << 30;  // Linux writes at most 2 GiB in one call
  return or_errno(::pwrite(file, data, static_cast<std::size_t>(std::min(bytes, kAtOnce)), offset));
}

int FileWriter::flush(int file) { return static_cast<int>(or_errno(::fsync(file))); }

int FileWriter::close(int file) { return static_cast<int>(or_errno(::close(file))); }

int FileWriter::rename(const std::string& from, const std::string& to) {
  return static_cast<int>(or_errno(::rename(from.c_str(), to.c_str())));
}

int FileWriter::flush_folder(const std::string& path) {
  const int folder = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return -errno;
  const int result = static_cast<int>(or_errno(::fsync(folder)));
  ::close(folder);
  return result == -EINVAL ? 0 : result;  // some network file systems cannot flush a folder
}

int FileWriter::remove(const std::string& path) { return static_cast<int>(or_errno(::unlink(path.c_str()))); }

FileWriter& system_files() {
  static FileWriter writer;
  return writer;
}

DurableFile::DurableFile(std::string path, FileWriter& writer)
    : path_(std::move(path)), partial_(path_ + ".partial"), writer_(writer) {
  file_ = writer_.create(partial_);
  if (file_ < 0) fail(file_, path_, "written");
  exists_ = true;
}

DurableFile::~DurableFile() {
  if (file_ >= 0) writer_.close(file_);
  if (exists_) writer_.remove(partial_);
}

void DurableFile::append(const void* data, int64_t bytes) {
  write_at(end_, data, bytes);
  end_ += bytes;
}

void DurableFile::write_at(int64_t offset, const void* data, int64_t bytes) {
  ensure(file_ >= 0, "a committed file is written to");
  const auto* next = static_cast<const char*>(data);
  while (bytes > 0) {
    const int64_t written = writer_.write_at(file_, offset, next, bytes);
    if (written == -EINTR) continue;
    if (written < 0) fail(written, path_, "written", bytes);
    if (written == 0) throw DiskFull(path_, bytes);  // a disk that takes nothing more and says so without an error
    next += written;
    offset += written;
    bytes -= written;
  }
}

void DurableFile::commit() {
  ensure(file_ >= 0, "a file is committed twice");
  check(writer_.flush(file_), path_, "written");
  // Network file systems may find out only now that the disk is full.
  check(writer_.close(std::exchange(file_, -1)), path_, "written");
  check(writer_.rename(partial_, path_), path_, "written");
  exists_ = false;
  check(writer_.flush_folder(folder_of(path_)), path_, "written");
}

void write_text_durably(const std::string& path, std::string_view text, FileWriter& writer) {
  DurableFile file(path, writer);
  file.append(text.data(), static_cast<int64_t>(text.size()));
  file.commit();
}

void copy_durably(const std::string& from, const std::string& to, FileWriter& writer) {
  const OpenFile source(from);
  DurableFile target(to, writer);
  std::vector<char> piece(std::size_t{1} << 20);
  for (;;) {
    const ssize_t bytes = ::read(source.descriptor(), piece.data(), piece.size());
    if (bytes < 0 && errno == EINTR) continue;
    if (bytes < 0) throw device_error("{}: cannot be read ({}). Check the disk.", from, std::strerror(errno));
    if (bytes == 0) break;
    target.append(piece.data(), bytes);
  }
  target.commit();
}

void rename_durably(const std::string& from, const std::string& to, FileWriter& writer) {
  check(writer.rename(from, to), to, "written");
  check(writer.flush_folder(folder_of(to)), to, "written");
}

}  // namespace anneal::engine
