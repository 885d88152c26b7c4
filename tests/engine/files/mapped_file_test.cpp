#include "engine/files/mapped_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <utility>

#include "engine/files/small_json.h"
#include "tests/support/sentence_of.h"
#include "tests/support/temporary_folder.h"

namespace anneal::engine {
namespace {

using tests::sentence_of;
using tests::TemporaryFolder;

char first_of(const MappedFile& file) { return static_cast<char>(file.bytes()[0]); }

TEST(MappedFile, SeesTheBytesAndSeesThemAgainAfterRelease) {
  const TemporaryFolder folder;
  MappedFile file(folder.write("a", "xyz"));
  ASSERT_EQ(file.bytes().size(), 3u);
  EXPECT_EQ(first_of(file), 'x');
  file.release();
  EXPECT_EQ(first_of(file), 'x');
  const MappedFile moved = std::move(file);
  EXPECT_EQ(first_of(moved), 'x');
  EXPECT_EQ(moved.path(), (folder.path() / "a").string());
}

TEST(MappedFile, EmptyFileIsEmptyMemory) {
  const TemporaryFolder folder;
  const MappedFile file(folder.write("a", ""));
  EXPECT_TRUE(file.bytes().empty());
  file.check_unchanged();
  file.release();
}

TEST(MappedFile, ShortenedFileIsNoticedBeforeItIsRead) {
  const TemporaryFolder folder;
  const std::string path = folder.write("a", std::string(5000, 'a'));
  const MappedFile file(path);
  file.check_unchanged();
  std::filesystem::resize_file(path, 10);
  EXPECT_EQ(
      sentence_of([&] { file.check_unchanged(); }),
      path + ": was changed while it was in use (5000 bytes before, 10 now). Put the whole file back and start again.");
}

TEST(OpenFile, SaysWhatIsInTheWay) {
  const TemporaryFolder folder;
  const std::string base = folder.path().string();
  EXPECT_EQ(sentence_of([&] { OpenFile(base + "/none"); }), base + "/none: does not exist. Check the path.");
  EXPECT_EQ(sentence_of([&] { OpenFile{base}; }), base + ": is a folder, not a file. Check the path.");
  ASSERT_EQ(mkfifo((base + "/pipe").c_str(), 0600), 0);
  EXPECT_EQ(sentence_of([&] { OpenFile(base + "/pipe"); }),
            base + "/pipe: is a pipe or device, not a file. Check the path.");
}

TEST(OpenFile, MissingPermissionIsOneSentence) {
  const TemporaryFolder folder;
  const std::string path = folder.write("secret", "x");
  std::filesystem::permissions(path, std::filesystem::perms::none);
  // The administrator may read everything, so the test steps down for the one call.
  const bool is_administrator = geteuid() == 0;
  ASSERT_EQ(is_administrator ? seteuid(65534) : 0, 0);
  const std::string sentence = sentence_of([&] { OpenFile{path}; });
  ASSERT_EQ(is_administrator ? seteuid(0) : 0, 0);
  EXPECT_EQ(sentence, path + ": you have no permission to read it. Ask its owner, or change it with chmod.");
}

TEST(ReadTextFile, RefusesWhatIsTooLong) {
  const TemporaryFolder folder;
  const std::string path = folder.write("a", "12345");
  EXPECT_EQ(read_text_file(path, 5), "12345");
  EXPECT_EQ(sentence_of([&] { read_text_file(path, 4); }),
            path + ": is 5 bytes long; at most 4 are read here. Check the path.");
}

TEST(ReadSmallJson, PassesOverAByteOrderMark) {
  const TemporaryFolder folder;
  EXPECT_EQ(read_small_json(folder.write("a.json", "\xEF\xBB\xBF{\"a\":1}")).at("a"), 1);
}

}  // namespace
}  // namespace anneal::engine
