#pragma once
// log.txt of a run's folder: what was told, with the time, for people who come later. Every step is in run.sqlite; here
// stands one in half a minute.

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "engine/training/events.h"

namespace anneal::engine {

class RunLog {
 public:
  // Goes on at the end of what is there. A log that cannot be written (a full disk) is given up in silence: the run and
  // its record matter more.
  explicit RunLog(const std::filesystem::path& path) : file_(path, std::ios::app) {}
  void add(const Event& event);
  void add_text(std::string_view text);  // each line gets the time of day, in UTC

 private:
  std::ofstream file_;
  std::chrono::steady_clock::time_point next_step_{};
};

}  // namespace anneal::engine
