#include "ui/tasks/device_facts.h"

#include <filesystem>

#include "engine/session/memory_use.h"
#include "kernels/cpu/cpu.h"

namespace anneal::ui {

DeviceFacts device_facts() {
  static const CpuFacts cpu = cpu_facts();
  return {.name = QString::fromStdString(cpu.processor),
          .instruction_set = QString::fromStdString(cpu.instruction_set),
          .cores = cpu.cores,
          .total_bytes = engine::total_memory_bytes(),
          .free_bytes = engine::free_memory_bytes()};
}

qint64 free_disk_at(const QString& folder) {
  std::filesystem::path path = std::filesystem::absolute(folder.toStdString());
  std::error_code ignored;
  while (!std::filesystem::exists(path, ignored) && path.has_parent_path() && path != path.parent_path())
    path = path.parent_path();
  return engine::free_disk_bytes(path.c_str());
}

}  // namespace anneal::ui
