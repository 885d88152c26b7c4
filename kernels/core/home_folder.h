#pragma once
// Where the program keeps what is its own and can be made again: the index of runs, the queue, caches. Never a person's
// data.

#include <filesystem>

namespace anneal {

// ANNEAL_HOME, else "anneal" in the XDG data folder (XDG_DATA_HOME, else ~/.local/share). Absolute; not made yet.
// Throws Error(kInput) where no home folder is known at all.
std::filesystem::path home_folder();

}  // namespace anneal
