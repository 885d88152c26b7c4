#pragma once
// A small trained run and its exports.

#include "engine/exports/export_list.h"
#include "engine/files/small_json.h"
#include "kernels/cpu/cpu.h"
#include "tests/engine/session/small_run.h"

namespace anneal::engine {

class TrainedRun : public SmallRun {
 protected:
  void train(const Recipe& recipe) {
    Log log;
    run(recipe, log);
  }
  ExportResult export_as(const ExportFormat& format, const std::string& run_name, const std::string& name,
                         std::optional<DType> dtype = {}) {
    const auto backend = make_cpu_backend(2);
    return run_export(format, open_model({.model = out(run_name)}), {.out = out(name), .dtype = dtype}, *backend);
  }
  static std::string content(const std::filesystem::path& path) { return read_text_file(path.string(), 16 << 20); }
};

}  // namespace anneal::engine
