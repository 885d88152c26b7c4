#include "engine/files/mapped_file.h"

#include <sys/mman.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "kernels/core/error.h"

namespace anneal::engine {

MappedFile::MappedFile(const std::string& path) : file_(path) {
  const auto size = static_cast<std::size_t>(file_.size());
  if (size == 0) return;  // the system refuses an empty mapping
  void* memory = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file_.descriptor(), 0);
  if (memory == MAP_FAILED) {
    throw device_error("{}: cannot be mapped into memory ({}). Copy it to a local disk.", shown_path(path),
                       std::strerror(errno));
  }
  bytes_ = {static_cast<const std::byte*>(memory), size};
}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : file_(std::move(other.file_)), bytes_(std::exchange(other.bytes_, {})) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(file_, other.file_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

void MappedFile::check_unchanged() const {
  if (file_.descriptor() < 0) return;
  const int64_t now = file_.size();
  if (now != static_cast<int64_t>(bytes_.size())) {
    throw input_error(
        "{}: was changed while it was in use ({} bytes before, {} now). Put the whole file back and start again.",
        shown_path(path()), bytes_.size(), now);
  }
}

void MappedFile::release() const {
  if (!bytes_.empty()) madvise(const_cast<std::byte*>(bytes_.data()), bytes_.size(), MADV_DONTNEED);
}

}  // namespace anneal::engine
