#pragma once
// A file layer of SQLite that passes everything on to the system's, but for the faults that a test switches on. Give
// its name to RunStore. One at a time; databases on it must be closed before it goes.

#include <sqlite3.h>

#include <atomic>

namespace anneal::engine::tests {

enum class SharedMemory { kWorks, kFailsAtUse, kUnknown };

class FaultyDisk {
 public:
  explicit FaultyDisk(SharedMemory shared_memory = SharedMemory::kWorks);
  ~FaultyDisk();
  FaultyDisk(const FaultyDisk&) = delete;
  FaultyDisk& operator=(const FaultyDisk&) = delete;

  static constexpr const char* kName = "faulty_disk";
  std::atomic<bool> is_full{false};
  std::atomic<int> refused_writes{0};
  const SharedMemory shared_memory;

 private:
  sqlite3_vfs layer_{};
};

}  // namespace anneal::engine::tests
