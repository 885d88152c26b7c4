#include "engine/files/durable_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "engine/files/open_file.h"
#include "tests/support/failing_files.h"
#include "tests/support/sentence_of.h"
#include "tests/support/temporary_folder.h"

namespace anneal::engine {
namespace {

using tests::FailingFiles;
using tests::sentence_of;
using tests::TemporaryFolder;

std::string content(const std::string& path) { return read_text_file(path, 1000); }

TEST(DurableFile, IsThereOnlyAfterCommitAndInTheRightOrder) {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "a.txt").string();
  FailingFiles files;
  files.most_at_once = 2;  // short writes are gone on with
  DurableFile file(path, files);
  file.append("hello", 5);
  EXPECT_FALSE(std::filesystem::exists(path));
  file.write_at(0, "J", 1);
  file.append("!", 1);
  file.commit();
  EXPECT_EQ(content(path), "Jello!");
  EXPECT_FALSE(std::filesystem::exists(path + ".partial"));
  EXPECT_THAT(files.calls,
              testing::ElementsAre("create a.txt.partial", "flush", "close", "rename a.txt", "flush_folder"));
}

TEST(DurableFile, CaseE04FullDiskKeepsTheOldFileAndLeavesNoPartialOne) {
  const TemporaryFolder folder;
  const std::string path = folder.write("state.json", "old");
  FailingFiles files;
  files.room = 4;
  try {
    write_text_durably(path, "new and longer", files);
    FAIL() << "a full disk was not noticed";
  } catch (const DiskFull& full) {
    EXPECT_EQ(full.path(), path);
    EXPECT_EQ(full.bytes_wanted(), 10);  // 14 less the 4 that fitted
    EXPECT_EQ(full.kind(), ErrorKind::kInput);
    EXPECT_EQ(
        std::string(full.what()),
        path + ": the disk is full, 10 more bytes did not fit. Free some space there; nothing that was there is lost.");
  }
  EXPECT_EQ(content(path), "old");
  EXPECT_FALSE(std::filesystem::exists(path + ".partial"));
  files.room = 1000;  // space was made: the same call goes through
  write_text_durably(path, "new and longer", files);
  EXPECT_EQ(content(path), "new and longer");
}

TEST(DurableFile, DiskFullThatShowsOnlyAtTheFlushIsDiskFullToo) {
  const TemporaryFolder folder;
  const std::string path = folder.write("a", "old");
  FailingFiles files;
  files.flush_error = EDQUOT;
  EXPECT_THROW(write_text_durably(path, "new", files), DiskFull);
  EXPECT_EQ(content(path), "old");
  EXPECT_FALSE(std::filesystem::exists(path + ".partial"));
}

TEST(DurableFile, OtherFailuresHaveTheirOwnSentence) {
  const TemporaryFolder folder;
  const std::string path = (folder.path() / "a").string();
  FailingFiles files;
  files.flush_error = EIO;
  EXPECT_EQ(sentence_of([&] { write_text_durably(path, "x", files); }),
            path + ": cannot be written (Input/output error). Check the disk.");
  files.create_error = EROFS;
  EXPECT_EQ(sentence_of([&] { write_text_durably(path, "x", files); }),
            path + ": cannot be written (Read-only file system). Choose a folder in which you may write.");
  const std::string nowhere = (folder.path() / "none" / "a").string();
  EXPECT_EQ(sentence_of([&] { write_text_durably(nowhere, "x"); }),
            nowhere + ": cannot be written, its folder does not exist. Make the folder or choose another.");
  std::filesystem::create_directory(path);
  EXPECT_EQ(sentence_of([&] { write_text_durably(path, "x"); }),
            path + ": cannot be written, a folder of that name is in the way. Choose another name.");
  EXPECT_TRUE(std::filesystem::is_empty(path));
}

TEST(DurableFile, FoldersAreRenamedTheSameWay) {
  const TemporaryFolder folder;
  folder.write("step_2.partial/weights", "w");
  rename_durably((folder.path() / "step_2.partial").string(), (folder.path() / "step_2").string());
  EXPECT_EQ(content((folder.path() / "step_2" / "weights").string()), "w");
}

}  // namespace
}  // namespace anneal::engine
