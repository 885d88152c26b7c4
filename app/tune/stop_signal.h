#pragma once
// Ctrl+C, SIGTERM and a terminal that was closed (SIGHUP), for a run at work: once stops and keeps, twice quits at
// once.

#include "engine/runs/run_control.h"

namespace anneal::tune {

class StopSignal {
 public:
  // While it lives, a signal posts "stop" to `control`.
  explicit StopSignal(engine::ControlWord& control);
  ~StopSignal();
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;

  static bool was_sent();  // since the program began
};

}  // namespace anneal::tune
