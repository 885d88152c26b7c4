// The sources of Anneal themselves, held against tests/layering/house_rules.cpp.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>
#include <vector>

#include "tests/layering/house_check.h"

namespace anneal::tests {
namespace {

const std::filesystem::path kRoot = ANNEAL_SOURCE_ROOT;

std::string lines(const std::vector<std::string>& findings) { return fmt::format("{}", fmt::join(findings, "\n")); }

TEST(House, EveryLayerIncludesOnlyWhatItMay) { EXPECT_EQ(lines(check_includes(kRoot, house_rules())), ""); }

TEST(House, EveryTopFolderExplainsItself) { EXPECT_EQ(lines(check_readmes(kRoot, house_rules())), ""); }

TEST(House, NoFileNamesOneMachineOrIsUnfinished) { EXPECT_EQ(lines(check_texts(kRoot, house_rules())), ""); }

TEST(House, SourcesAreShortAndGuarded) { EXPECT_EQ(lines(check_sources(kRoot, house_rules())), ""); }

std::string content_of(const std::filesystem::path& path) {
  std::ifstream stream(path);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

TEST(House, EverySourceIsCompiled) {
  const std::filesystem::path commands = ANNEAL_COMPILE_COMMANDS;
  if (!std::filesystem::exists(commands)) GTEST_SKIP() << "this generator writes no compile_commands.json";
  std::string text = content_of(commands);
  // A build that joins sources compiles files which include them.
  const std::regex joined("\"file\": \"([^\"]*/Unity/[^\"]*)\"");
  std::string sources;
  for (std::sregex_iterator file(text.begin(), text.end(), joined), end; file != end; ++file)
    sources += content_of((*file)[1].str());
  text += sources;
  std::vector<std::string> findings = check_built(kRoot, house_rules(), text);
#if !ANNEAL_BUILDS_WINDOW
  std::erase_if(findings, [](const std::string& finding) {
    return finding.starts_with("ui/") || finding.starts_with("app/studio/") || finding.starts_with("tests/ui/");
  });
#endif
  EXPECT_EQ(lines(findings), "");
}

// A check that reads nothing would find nothing.
TEST(House, TheChecksSeeTheSources) {
  const std::vector<std::string> files = files_of_house(kRoot, house_rules());
  for (const char* known : {"CMakeLists.txt", ".ci/run", "kernels/core/error.h", "tests/layering/layering_test.cpp"}) {
    EXPECT_EQ(std::count(files.begin(), files.end(), known), 1) << known;
  }
}

}  // namespace
}  // namespace anneal::tests
