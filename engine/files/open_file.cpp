#include "engine/files/open_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "kernels/core/error.h"

namespace anneal::engine {
namespace {

Error opening_error(const std::string& path, int code) {
  const std::string shown = shown_path(path);
  if (code == ENOENT || code == ENOTDIR) return input_error("{}: does not exist. Check the path.", shown);
  if (code == EACCES || code == EPERM) {
    return input_error("{}: you have no permission to read it. Ask its owner, or change it with chmod.", shown);
  }
  return input_error("{}: cannot be opened ({}). Check the path and the disk.", shown, std::strerror(code));
}

}  // namespace

std::string shown_path(const std::string& path) { return printable(path, 400); }

OpenFile::OpenFile(std::string path) : path_(std::move(path)) {
  // O_NONBLOCK: opening a pipe that nobody writes to must not wait for ever.
  descriptor_ = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor_ < 0) throw opening_error(path_, errno);
  struct stat facts{};
  const bool known = fstat(descriptor_, &facts) == 0;
  if (known && S_ISREG(facts.st_mode)) return;
  const bool folder = known && S_ISDIR(facts.st_mode);
  ::close(descriptor_);  // no destructor runs for a constructor that throws
  throw input_error("{}: is {}, not a file. Check the path.", shown_path(path_),
                    folder ? "a folder" : "a pipe or device");
}

OpenFile::~OpenFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

OpenFile::OpenFile(OpenFile&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

OpenFile& OpenFile::operator=(OpenFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

int64_t OpenFile::size() const {
  struct stat facts{};
  if (fstat(descriptor_, &facts) != 0) throw opening_error(path_, errno);
  return facts.st_size;
}

bool is_there(const std::string& path) {
  struct stat facts{};
  if (stat(path.c_str(), &facts) == 0) return true;
  if (errno == ENOENT || errno == ENOTDIR) return false;
  throw opening_error(path, errno);
}

std::string read_text_file(const std::string& path, int64_t limit_bytes) {
  const OpenFile file(path);
  const int64_t size = file.size();
  if (size > limit_bytes) {
    throw input_error("{}: is {} bytes long; at most {} are read here. Check the path.", shown_path(path), size,
                      limit_bytes);
  }
  std::string text(static_cast<std::size_t>(size), '\0');
  std::size_t filled = 0;
  while (filled < text.size()) {
    const ssize_t count = ::read(file.descriptor(), text.data() + filled, text.size() - filled);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      throw device_error("{}: cannot be read ({}). Check the disk.", shown_path(path), std::strerror(errno));
    }
    if (count == 0) break;  // shortened meanwhile: what is there is judged by whoever reads the text
    filled += static_cast<std::size_t>(count);
  }
  text.resize(filled);
  return text;
}

}  // namespace anneal::engine
