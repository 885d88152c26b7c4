#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/datasets/formats/reading.h"

namespace anneal::datasets::tests {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::string_view kRow = "{\"text\":\"a\"}\n";

std::vector<std::string> names_below(const FileSelection& selection, const std::filesystem::path& folder) {
  std::vector<std::string> names;
  for (const std::string& file : selection.files) names.push_back(std::filesystem::relative(file, folder).string());
  return names;
}

TEST(FileSelection, FoldersGiveTheirFilesByName) {
  const anneal::tests::TemporaryFolder folder;
  for (const char* name :
       {"b.jsonl", "a.csv", "sub/c.json.gz", ".hidden.jsonl", "README.md", "dataset_info.json", "x.bin"}) {
    folder.write(name, kRow);
  }
  const FileSelection selection = select_files({folder.path().string()});
  EXPECT_THAT(names_below(selection, folder.path()), ElementsAre("a.csv", "b.jsonl", "sub/c.json.gz"));
  EXPECT_EQ(selection.notices.size(), 3u);
}

TEST(FileSelection, AFolderOfTextsIsTakenToo) {
  const anneal::tests::TemporaryFolder folder;
  folder.write("b.txt", "x");
  folder.write("a.md", "y");
  EXPECT_THAT(names_below(select_files({folder.path().string()}), folder.path()), ElementsAre("a.md", "b.txt"));
}

TEST(FileSelection, LinksThatLeadBackEnd) {
  const anneal::tests::TemporaryFolder folder;
  folder.write("sub/a.jsonl", kRow);
  std::filesystem::create_directory_symlink(folder.path(), folder.path() / "sub/again");
  EXPECT_EQ(select_files({folder.path().string()}).files.size(), 1u);
}

TEST(FileSelection, AFolderWithoutDataIsRefused) {
  const anneal::tests::TemporaryFolder folder;
  EXPECT_THAT(select_files({folder.path().string()}).errors.sentences(),
              ElementsAre(HasSubstr("the folder holds no .jsonl")));
  EXPECT_THROW(read_paths({folder.path().string()}), Error);
}

TEST(FileSelection, CaseA08AnyReadablePath) {
  const anneal::tests::TemporaryFolder folder;
  const std::string long_name(120, 'n');
  std::vector<std::string> paths;
  for (const std::string& name : {std::string("a b/mod\xC3\xA8le \xE6\xA8\xA1\xE5\x9E\x8B/\xC3\xBC/it's #1.jsonl"),
                                  long_name + "/" + long_name + "/" + long_name + "/x.jsonl"}) {
    paths.push_back(folder.write(name, kRow));
  }
  std::filesystem::create_symlink(paths[0], folder.path() / "link.jsonl");
  paths.push_back((folder.path() / "link.jsonl").string());
  std::filesystem::create_directory_symlink(folder.path() / "a b", folder.path() / "linked folder");
  paths.push_back((folder.path() / "linked folder").string() + "/");
  const Reading reading = read_paths(paths);
  ASSERT_EQ(reading.rows.size(), 4u);
  EXPECT_EQ(reading.rows[0].source.file, paths[0]);
  EXPECT_EQ(reading.rows[3].source.row, 4);
}

TEST(FileSelection, SeveralFilesAreReadInTheGivenOrder) {
  const anneal::tests::TemporaryFolder folder;
  const std::string second = folder.write("a.jsonl", "{\"text\":\"2\"}\n");
  const std::string first = folder.write("b.csv", "prompt,completion\n1,1\n");
  const Reading reading = read_paths({first, second});
  ASSERT_EQ(reading.rows.size(), 2u);
  EXPECT_TRUE(std::holds_alternative<PromptCompletion>(reading.rows[0].content));
  EXPECT_TRUE(std::holds_alternative<Document>(reading.rows[1].content));
  EXPECT_EQ(reading.report.format(), "mixed");
}

}  // namespace
}  // namespace anneal::datasets::tests
