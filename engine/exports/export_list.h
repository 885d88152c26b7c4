#pragma once
// Every export, in the order in which they are offered.

#include <array>

#include "engine/exports/export.h"

namespace anneal::engine {

extern const ExportFormat kMergedExport;
extern const ExportFormat kAdapterExport;

inline const std::array kExportFormats{&kMergedExport, &kAdapterExport};

}  // namespace anneal::engine
