#pragma once
// Reads a run's record, of a run that is going on too; never writes. One thread at a time. The file may come from
// anywhere: a damaged, changed or foreign one is refused with one sentence.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/runs/database.h"
#include "engine/runs/run_control.h"
#include "engine/runs/run_record.h"

namespace anneal::engine {

struct MetricPoint {
  int64_t step = 0;
  double value = 0;  // NaN where it was not a number
};

class RunReader {
 public:
  explicit RunReader(const std::filesystem::path& folder);

  RunFacts facts() const;
  std::vector<RunEvent> events(int64_t after_id = 0, int64_t limit = 100000) const;
  std::vector<Artifact> artifacts() const;  // oldest first

  std::vector<std::string> metric_names() const;
  // One curve, after `after_step`, by step.
  std::vector<MetricPoint> metric(const std::string& name, int64_t after_step = -1) const;
  // All numbers, by step and then by name, one at a time: a million rows take no memory.
  void for_each_metric(const std::function<void(int64_t step, const std::string& name, double value)>& take) const;

  bool was_request_taken(int64_t id) const;
  // Empty, or one sentence: rows of the last moments that lie in a log beside the record cannot be read here.
  const std::string& notice() const { return notice_; }

 private:
  std::filesystem::path folder_;
  std::unique_ptr<Database> database_;
  std::string notice_;
};

}  // namespace anneal::engine
