#include "engine/runs/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "kernels/core/error.h"

namespace anneal::engine {

FileLock::FileLock(const std::filesystem::path& file) {
  std::error_code ignored;
  const std::filesystem::path folder = file.parent_path();
  std::filesystem::create_directories(folder.parent_path(), ignored);
  ::mkdir(folder.c_str(), 0700);
  file_ = ::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  while (file_ >= 0 && ::flock(file_, LOCK_EX) != 0) {
    if (errno == EINTR) continue;
    ::close(file_);
    file_ = -1;
  }
  if (file_ < 0) {
    throw input_error("{}: cannot be opened ({}). Check its permissions, or set ANNEAL_HOME to another folder.",
                      printable(file.string(), 1000), std::strerror(errno));
  }
}

FileLock::~FileLock() { ::close(file_); }

}  // namespace anneal::engine
