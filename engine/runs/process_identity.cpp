#include "engine/runs/process_identity.h"

#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

#include "engine/runs/run_record.h"

namespace anneal::engine {
namespace {

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t at = text.find(separator);
    parts.emplace_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

std::string boot_id() {
  std::string id;
  std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), id);
  return id;
}

// Numbers of processes mean something only within their namespace: containers have their own.
std::string process_namespace() {
  std::error_code error;
  const std::filesystem::path link = std::filesystem::read_symlink("/proc/self/ns/pid", error);
  const std::string text = link.string();  // "pid:[4026531836]"
  return error || text.size() < 7 ? std::string() : text.substr(5, text.size() - 6);
}

// Start time in ticks since boot; empty if there is no such process or it only waits to be buried.
std::string start_time(int number) {
  std::string line;
  std::getline(std::ifstream(fmt::format("/proc/{}/stat", number)), line);
  // "12 (a name) with) spaces) S 1 …": the state follows the last bracket, the start time is 19 words after it.
  const std::size_t bracket = line.rfind(')');
  if (bracket == std::string::npos || bracket + 2 >= line.size()) return "";
  const std::vector<std::string> words = split(std::string_view(line).substr(bracket + 2), ' ');
  if (words.size() < 20 || words[0] == "Z" || words[0] == "X") return "";
  return words[19];
}

}  // namespace

std::string this_process() {
  const int number = ::getpid();
  return fmt::format("{}/{}/{}/{}", boot_id(), process_namespace(), number, start_time(number));
}

bool is_held(std::string_view identity, int64_t heartbeat_ms) {
  if (identity.empty()) return false;
  const ProcessLife life = life_of(identity);
  if (life != ProcessLife::kUnknown) return life == ProcessLife::kAlive;
  constexpr int64_t kSilenceMs = 60000;  // clocks of two machines are seldom further apart
  return std::abs(now_ms() - heartbeat_ms) < kSilenceMs;
}

int process_number(std::string_view identity) {
  const std::vector<std::string> parts = split(identity, '/');
  int number = 0;
  if (parts.size() == 4) std::from_chars(parts[2].data(), parts[2].data() + parts[2].size(), number);
  return number;
}

ProcessLife life_of(std::string_view identity) {
  const std::vector<std::string> parts = split(identity, '/');
  const int number = process_number(identity);
  if (parts.size() != 4 || number <= 0 || parts[0].empty() || parts[1].empty() || parts[3].empty()) {
    return ProcessLife::kUnknown;
  }
  if (parts[0] != boot_id()) {
    // Another start of this machine, or another machine that shares the folder.
    return ProcessLife::kUnknown;
  }
  if (parts[1] != process_namespace()) return ProcessLife::kUnknown;
  return start_time(number) == parts[3] ? ProcessLife::kAlive : ProcessLife::kGone;
}

}  // namespace anneal::engine
