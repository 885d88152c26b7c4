// The checks can fail: small made-up trees, each with one thing wrong.

#include "tests/layering/house_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/layering/source_text.h"
#include "tests/support/temporary_folder.h"

namespace anneal::tests {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::vector<std::string> targets(std::string_view text) {
  std::vector<std::string> found;
  for (const Include& include : includes_of(text)) found.push_back(include.target);
  return found;
}

TEST(IncludesOf, FindsQuotedAndAngledWithTheirLines) {
  const auto found = includes_of("#pragma once\n\n#include <vector>\n  #  include \"a/b.h\"  // why\n");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].target, "vector");
  EXPECT_TRUE(found[0].is_angled);
  EXPECT_EQ(found[0].line, 3);
  EXPECT_EQ(found[1].target, "a/b.h");
  EXPECT_FALSE(found[1].is_angled);
  EXPECT_EQ(found[1].line, 4);
}

TEST(IncludesOf, PassesOverCommentsAndStrings) {
  EXPECT_THAT(targets("// #include <a>\n/*\n#include <b>\n*/\n#include <c>\n"), ElementsAre("c"));
  EXPECT_THAT(targets("auto s = R\"x(\n#include <a>\n)\" )x\";\n#include <b>\n"), ElementsAre("b"));
  EXPECT_THAT(targets("auto s = \"\\\"/*\";\n#include <a>\n"), ElementsAre("a"));
  EXPECT_THAT(targets("// carried on \\\n#include <a>\n#include <b>\n"), ElementsAre("b"));
}

TEST(IncludesOf, IsNotMisledByCharactersAndLongNumbers) {
  EXPECT_THAT(targets("char c = '\"';\n#include <a>\n"), ElementsAre("a"));
  EXPECT_THAT(targets("int n = 1'000'000; int m = 0xFF'FF;\n#include <a>\n"), ElementsAre("a"));
  EXPECT_THAT(targets("#include \"a//b.h\"\n#include <c/*d.h>\n#include <e>\n"), ElementsAre("a//b.h", "c/*d.h", "e"));
}

// A tree in which nothing is wrong: one header below, one source above, a library in its own place.
class HouseCheck : public testing::Test {
 protected:
  HouseCheck() {
    rules_.top_folders = {"low", "high"};
    rules_.layers = {{"*.fast.cpp", {"low/", "high/"}}, {"low/", {"low/"}}, {"high/", {"low/", "high/"}}};
    rules_.libraries = {{"Qt", {"Q"}, {"high/"}}, {"fmt", {"fmt/"}, {""}}, {"dnnl", {"dnnl"}, {"*.fast.cpp"}}};
    rules_.system_headers = {"sys/"};
    rules_.forbidden_texts = {"/machine/"};
    rules_.unfinished_words = {"LATER"};
    rules_.most_lines = 5;
    tree_.write("low/README.md", "Low.\n");
    tree_.write("high/README.md", "High.\n");
    tree_.write("low/a.h", "#pragma once\n#include <sys/stat.h>\n#include <vector>\n");
    tree_.write("high/b.cpp", "#include <QString>\n#include <fmt/format.h>\n\n#include \"low/a.h\"\n");
    tree_.write("high/b.fast.cpp", "#include <dnnl.hpp>\n");
  }

  std::vector<std::string> all_findings() const {
    std::vector<std::string> all;
    for (const auto check : {check_includes, check_readmes, check_texts, check_sources}) {
      for (std::string& finding : check(tree_.path(), rules_)) all.push_back(std::move(finding));
    }
    const std::string commands = R"([{"file": "/tree/high/b.cpp"}, {"file": "/tree/high/b.fast.cpp"}])";
    for (std::string& finding : check_built(tree_.path(), rules_, commands)) all.push_back(std::move(finding));
    return all;
  }

  HouseRules rules_;
  TemporaryFolder tree_;
};

TEST_F(HouseCheck, AcceptsASoundTree) { EXPECT_THAT(all_findings(), IsEmpty()); }

TEST_F(HouseCheck, RefusesAnIncludeUpwards) {
  tree_.write("high/c.h", "#pragma once\n");
  tree_.write("low/a.h", "#pragma once\n#include \"high/c.h\"\n");
  EXPECT_THAT(all_findings(), ElementsAre("low/a.h:2: low/ may not include \"high/c.h\", only low/."));
}

TEST_F(HouseCheck, RefusesALibraryOutsideItsPlace) {
  tree_.write("low/a.h", "#pragma once\n#include <QString>\n");
  tree_.write("high/b.cpp", "#include <dnnl.hpp>\n");
  EXPECT_THAT(all_findings(), ElementsAre(HasSubstr("high/b.cpp:1: <dnnl.hpp> is dnnl, which is used only in"),
                                          HasSubstr("low/a.h:2: <QString> is Qt, which is used only in high/")));
}

TEST_F(HouseCheck, LetsATestUseWhatItsSubjectMayUse) {
  rules_.top_folders.push_back("tests");
  rules_.layers.push_back({"tests/", {"high/"}});
  tree_.write("tests/README.md", "Tests.\n");
  tree_.write("tests/high/b_cases.h", "#pragma once\n#include <QString>\n");
  tree_.write("tests/low/a_cases.h", "#pragma once\n#include <QString>\n");
  EXPECT_THAT(all_findings(), ElementsAre(HasSubstr("tests/low/a_cases.h:2: <QString>")));
}

TEST_F(HouseCheck, RefusesAnUnknownLibrary) {
  tree_.write("high/b.cpp", "#include <boost/any.hpp>\n");
  EXPECT_THAT(all_findings(), ElementsAre(HasSubstr("<boost/any.hpp> belongs to no known library")));
}

TEST_F(HouseCheck, RefusesPathsNotFromTheRoot) {
  tree_.write("high/d.h", "#pragma once\n");
  tree_.write("high/b.cpp", "#include \"d.h\"\n#include \"../low/a.h\"\n#include <low/a.h>\n");
  EXPECT_THAT(all_findings(), ElementsAre(HasSubstr("high/b.cpp:1: \"d.h\" is no file seen from the root"),
                                          HasSubstr("high/b.cpp:2: \"../low/a.h\" is no file seen from the root"),
                                          HasSubstr("high/b.cpp:3: <low/a.h> is a file of the house")));
}

TEST_F(HouseCheck, RefusesAFolderWithoutARow) {
  rules_.top_folders.push_back("new");
  tree_.write("new/README.md", "New.\n");
  tree_.write("new/n.h", "#pragma once\n#include \"low/a.h\"\n");
  EXPECT_THAT(all_findings(), ElementsAre(HasSubstr("new/n.h:2: this folder has no row")));
}

TEST_F(HouseCheck, WantsAReadmeInEveryTopFolder) {
  tree_.write("low/README.md", "");
  EXPECT_THAT(all_findings(), ElementsAre(HasSubstr("low: README.md is missing")));
}

TEST_F(HouseCheck, FindsMachinePathsInAnyTextFile) {
  tree_.write("high/notes.md", "one\nsee /machine/x\n");
  tree_.write("high/image.bin", std::string("\0/machine/", 10));
  EXPECT_THAT(all_findings(), ElementsAre(HasSubstr("high/notes.md:2: \"/machine/\"")));
}

TEST_F(HouseCheck, FindsUnfinishedWordsInSources) {
  tree_.write("high/b.cpp", "int n;  // LATER\nint COLLATERAL;\n");
  EXPECT_THAT(all_findings(), ElementsAre(HasSubstr("high/b.cpp:1: \"LATER\"")));
}

TEST_F(HouseCheck, RefusesLongUnguardedAndUnbuiltSources) {
  tree_.write("high/long.h", "#pragma once\n\n\n\n\n\n");
  tree_.write("high/open.h", "// text\n#include <vector>\n#pragma once\n");
  tree_.write("high/orphan.cpp", "\n");  // named nowhere
  EXPECT_THAT(all_findings(), ElementsAre(HasSubstr("high/long.h: 6 lines, at most 5"),
                                          HasSubstr("high/open.h: does not begin with #pragma once"),
                                          HasSubstr("high/orphan.cpp: no target compiles it")));
}

// The real table, asked about the places that matter most.
TEST(HouseRules, HoldTheTableOfTheArchitecture) {
  TemporaryFolder tree;
  tree.write("kernels/core/error.h", "#pragma once\n#include <QString>\n");
  tree.write("kernels/ops/add/add.h", "#pragma once\n#include <hwy/highway.h>\n");
  tree.write("kernels/ops/add/add.cpu.cpp", "#include <hwy/highway.h>\n");
  tree.write("kernels/ops/add/add.cu", "#include <cuda_runtime.h>\n");
  tree.write("engine/runs/store.h", "#pragma once\n#include <sqlite3.h>\n#include <cuda_runtime.h>\n");
  tree.write("datasets/cache/cache.h", "#pragma once\n#include <hdf5.h>\n#include \"engine/runs/store.h\"\n");
  tree.write("ui/charts/loss.h", "#pragma once\n#include <QChart>\n#include \"datasets/cache/cache.h\"\n");
  tree.write("ui/forms/form.h", "#pragma once\n#include <QLineEdit>\n#include <QLineSeries>\n");
  EXPECT_THAT(check_includes(tree.path(), house_rules()),
              ElementsAre(HasSubstr("datasets/cache/cache.h:3: datasets/ may not include"),
                          HasSubstr("engine/runs/store.h:3: <cuda_runtime.h> is CUDA"),
                          HasSubstr("kernels/core/error.h:2: <QString> is Qt"),
                          HasSubstr("kernels/ops/add/add.h:2: <hwy/highway.h> is Highway"),
                          HasSubstr("ui/charts/loss.h:3: ui/ may not include"),
                          HasSubstr("ui/forms/form.h:3: <QLineSeries> is Qt Charts")));
}

}  // namespace
}  // namespace anneal::tests
