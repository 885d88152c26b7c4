#include "engine/session/memory_use.h"

#include <sys/statvfs.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <optional>
#include <string>

namespace anneal::engine {
namespace {

// "VmRSS:   1234 kB" of a file under /proc.
int64_t kilobytes_line(const char* path, const char* key) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(key)) return std::stoll(line.substr(line.find(':') + 1)) * 1024;
  }
  return 0;
}

std::optional<int64_t> number_in(const std::string& path) {
  std::ifstream file(path);
  int64_t number = 0;
  if (!(file >> number)) return std::nullopt;  // "max"
  return number;
}

// What the control group still grants; very large where there is no limit.
int64_t group_free() {
  std::ifstream membership("/proc/self/cgroup");
  for (std::string line; std::getline(membership, line);) {
    if (!line.starts_with("0::")) continue;
    const std::string folder = "/sys/fs/cgroup" + line.substr(3);
    const auto most = number_in(folder + "/memory.max");
    const auto used = number_in(folder + "/memory.current");
    if (most && used) return std::max<int64_t>(0, *most - *used);
  }
  return std::numeric_limits<int64_t>::max();
}

}  // namespace

int64_t resident_bytes() { return kilobytes_line("/proc/self/status", "VmRSS"); }
int64_t peak_resident_bytes() { return kilobytes_line("/proc/self/status", "VmHWM"); }
void reset_peak() { std::ofstream("/proc/self/clear_refs") << "5"; }
int64_t free_memory_bytes() { return std::min(kilobytes_line("/proc/meminfo", "MemAvailable"), group_free()); }
int64_t total_memory_bytes() { return kilobytes_line("/proc/meminfo", "MemTotal"); }

int64_t free_disk_bytes(const char* path) {
  struct statvfs facts{};
  if (statvfs(path, &facts) != 0) return -1;
  return static_cast<int64_t>(facts.f_bavail) * static_cast<int64_t>(facts.f_frsize);
}

}  // namespace anneal::engine
