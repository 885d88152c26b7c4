#pragma once
// Shows a run's events: JSON lines, or text with a progress line (live on a terminal, one line per step when piped).

#include <string>

#include "engine/training/events.h"

namespace anneal::tune {

class RunPrinter {
 public:
  explicit RunPrinter(bool json) : json_(json) {}
  void operator()(const engine::Event& event);

 private:
  void show(const engine::StepEvent& event);
  void show(const engine::ProgressEvent& event);
  void end_live_line();

  bool json_;
  bool has_live_line_ = false;
  int64_t total_steps_ = 0;
  double seconds_per_step_ = 0;
};

}  // namespace anneal::tune
