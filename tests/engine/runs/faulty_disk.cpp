#include "tests/engine/runs/faulty_disk.h"

namespace anneal::engine::tests {
namespace {

struct FaultyFile {
  sqlite3_file base;  // first: SQLite hands out a pointer to it
  FaultyDisk* disk;
  // The system's own file follows in the same piece of memory.
};

FaultyDisk& disk_of(sqlite3_file* file) { return *reinterpret_cast<FaultyFile*>(file)->disk; }
sqlite3_file* real(sqlite3_file* file) {
  return reinterpret_cast<sqlite3_file*>(reinterpret_cast<FaultyFile*>(file) + 1);
}

int write_or_refuse(sqlite3_file* file, const void* bytes, int count, sqlite3_int64 offset) {
  if (disk_of(file).is_full) {
    ++disk_of(file).refused_writes;
    return SQLITE_FULL;
  }
  return real(file)->pMethods->xWrite(real(file), bytes, count, offset);
}

int map_shared_memory(sqlite3_file* file, int page, int size, int extend, void volatile** memory) {
  if (disk_of(file).shared_memory == SharedMemory::kFailsAtUse) return SQLITE_IOERR_SHMMAP;
  return real(file)->pMethods->xShmMap(real(file), page, size, extend, memory);
}

// clang-format off
sqlite3_io_methods methods_of_version(int version) {
  return {
      .iVersion = version,
      .xClose = [](sqlite3_file* f) { return real(f)->pMethods->xClose(real(f)); },
      .xRead = [](sqlite3_file* f, void* to, int n, sqlite3_int64 at) { return real(f)->pMethods->xRead(real(f), to, n, at); },
      .xWrite = write_or_refuse,
      .xTruncate = [](sqlite3_file* f, sqlite3_int64 size) { return real(f)->pMethods->xTruncate(real(f), size); },
      .xSync = [](sqlite3_file* f, int flags) { return real(f)->pMethods->xSync(real(f), flags); },
      .xFileSize = [](sqlite3_file* f, sqlite3_int64* size) { return real(f)->pMethods->xFileSize(real(f), size); },
      .xLock = [](sqlite3_file* f, int level) { return real(f)->pMethods->xLock(real(f), level); },
      .xUnlock = [](sqlite3_file* f, int level) { return real(f)->pMethods->xUnlock(real(f), level); },
      .xCheckReservedLock = [](sqlite3_file* f, int* held) { return real(f)->pMethods->xCheckReservedLock(real(f), held); },
      .xFileControl = [](sqlite3_file* f, int op, void* arg) { return real(f)->pMethods->xFileControl(real(f), op, arg); },
      .xSectorSize = [](sqlite3_file* f) { return real(f)->pMethods->xSectorSize(real(f)); },
      .xDeviceCharacteristics = [](sqlite3_file* f) { return real(f)->pMethods->xDeviceCharacteristics(real(f)); },
      .xShmMap = map_shared_memory,
      .xShmLock = [](sqlite3_file* f, int at, int n, int flags) { return real(f)->pMethods->xShmLock(real(f), at, n, flags); },
      .xShmBarrier = [](sqlite3_file* f) { real(f)->pMethods->xShmBarrier(real(f)); },
      .xShmUnmap = [](sqlite3_file* f, int remove) { return real(f)->pMethods->xShmUnmap(real(f), remove); },
      .xFetch = nullptr,
      .xUnfetch = nullptr,
  };
}
// clang-format on

const sqlite3_io_methods kWithSharedMemory = methods_of_version(2);
const sqlite3_io_methods kWithoutSharedMemory = methods_of_version(1);

int open_file(sqlite3_vfs* layer, const char* name, sqlite3_file* file, int flags, int* out_flags) {
  auto* faulty = reinterpret_cast<FaultyFile*>(file);
  auto* disk = static_cast<FaultyDisk*>(layer->pAppData);
  faulty->disk = disk;
  faulty->base.pMethods = nullptr;
  sqlite3_vfs* system = sqlite3_vfs_find("unix");
  const int code = system->xOpen(system, name, real(file), flags, out_flags);
  if (real(file)->pMethods == nullptr) return code;
  faulty->base.pMethods = disk->shared_memory == SharedMemory::kUnknown ? &kWithoutSharedMemory : &kWithSharedMemory;
  return code;
}

}  // namespace

FaultyDisk::FaultyDisk(SharedMemory memory) : shared_memory(memory) {
  layer_ = *sqlite3_vfs_find("unix");
  layer_.pNext = nullptr;
  layer_.zName = kName;
  layer_.szOsFile += static_cast<int>(sizeof(FaultyFile));
  layer_.pAppData = this;
  layer_.xOpen = open_file;
  // The rest works on paths only; the system's functions take the first layer's data, which they do not read.
  sqlite3_vfs_register(&layer_, 0);
}

FaultyDisk::~FaultyDisk() { sqlite3_vfs_unregister(&layer_); }

}  // namespace anneal::engine::tests
