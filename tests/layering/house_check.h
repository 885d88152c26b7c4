#pragma once
// Holds a source tree against the rules of the house. Reads files only; nothing is compiled.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "tests/layering/house_rules.h"

namespace anneal::tests {

// One sentence a finding, "file:line: what. Remedy.", in the order of paths. Empty: all is well.
std::vector<std::string> check_includes(const std::filesystem::path& root, const HouseRules& rules);
std::vector<std::string> check_readmes(const std::filesystem::path& root, const HouseRules& rules);
std::vector<std::string> check_texts(const std::filesystem::path& root, const HouseRules& rules);
// Every header begins with #pragma once, no source is too long.
std::vector<std::string> check_sources(const std::filesystem::path& root, const HouseRules& rules);
// Every .cpp is compiled. `compile_commands` is the content of the build's compile_commands.json.
std::vector<std::string> check_built(const std::filesystem::path& root, const HouseRules& rules,
                                     std::string_view compile_commands);

// Paths from the root of all files of the house, sorted: those in its top folders, .ci and directly in the root.
std::vector<std::string> files_of_house(const std::filesystem::path& root, const HouseRules& rules);

}  // namespace anneal::tests
