#pragma once
// What this machine computes with, for the line at the foot of the rail.

#include <QString>

namespace anneal::ui {

struct DeviceFacts {
  QString name;             // "AMD EPYC 7763"
  QString instruction_set;  // "AVX2"
  int cores = 1;
  qint64 total_bytes = 0;
  qint64 free_bytes = 0;
};

DeviceFacts device_facts();
qint64 free_disk_at(const QString& folder);  // of it, or of the nearest folder above that is there; -1: not known

}  // namespace anneal::ui
