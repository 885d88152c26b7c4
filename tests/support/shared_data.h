#pragma once
// Where the real models, tokenizers and datasets lie: ANNEAL_SHARED_DATA, else ../shared/data beside the project.

#include <cstdlib>
#include <filesystem>
#include <string>

namespace anneal::tests {

inline std::filesystem::path shared_data() {
  const char* set = std::getenv("ANNEAL_SHARED_DATA");
  return set != nullptr ? set : ANNEAL_SHARED_DATA_DEFAULT;
}

}  // namespace anneal::tests

// First line of a test that reads shared data: skips it, with the reason, where the folder or file is absent.
#define ANNEAL_NEEDS_SHARED_DATA(relative)                                                                \
  do {                                                                                                    \
    if (!std::filesystem::exists(::anneal::tests::shared_data() / (relative)))                            \
      GTEST_SKIP() << "shared data is absent: " << (::anneal::tests::shared_data() / (relative)).string() \
                   << " (set ANNEAL_SHARED_DATA)";                                                        \
  } while (false)
