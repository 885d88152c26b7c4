#pragma once
// What the system says about memory: of this process, and what is free for it.

#include <cstdint>

namespace anneal::engine {

int64_t resident_bytes();       // of this process now (VmRSS)
int64_t peak_resident_bytes();  // since start or reset_peak() (VmHWM)
void reset_peak();              // begins a new measurement where the system allows it
int64_t free_memory_bytes();    // what can be used without swapping, within this process's own limit (cgroup)
int64_t total_memory_bytes();   // of the machine
int64_t free_disk_bytes(const char* path);  // for this user; -1 if not known

}  // namespace anneal::engine
