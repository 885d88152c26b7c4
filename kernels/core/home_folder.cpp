#include "kernels/core/home_folder.h"

#include <cstdlib>

#include "kernels/core/error.h"

namespace anneal {
namespace {

std::filesystem::path from_environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::filesystem::path() : std::filesystem::path(value);
}

}  // namespace

std::filesystem::path home_folder() {
  if (const auto own = from_environment("ANNEAL_HOME"); !own.empty())
    return std::filesystem::absolute(own).lexically_normal();
  // A relative XDG_DATA_HOME is to be passed over, says the XDG base directory specification.
  if (const auto data = from_environment("XDG_DATA_HOME"); data.is_absolute()) return data / "anneal";
  if (const auto home = from_environment("HOME"); home.is_absolute()) return home / ".local/share/anneal";
  throw input_error(
      "ANNEAL_HOME: no home folder is known. Set ANNEAL_HOME to a folder for the index of runs and the caches.");
}

}  // namespace anneal
