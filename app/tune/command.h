#pragma once
// A subcommand of `anneal`: one file each, one line each in command_list.h.

#include <string>
#include <string_view>
#include <vector>

namespace anneal::tune {

struct Command {
  std::string_view name;     // "train"
  std::string_view summary;  // one line for the overview
  std::string_view usage;    // the whole help, but for recipe keys
  bool shows_recipe_keys = false;
  int (*run)(const std::vector<std::string>& words);  // the exit status; throws Error
};

const std::vector<const Command*>& commands();

// Exit status of an error kind: 1 the person can mend it, 2 wrong usage, 3 a device or internal fault.
int exit_status_of(const std::exception& error);

constexpr int kStoppedBySignal = 130;

}  // namespace anneal::tune
