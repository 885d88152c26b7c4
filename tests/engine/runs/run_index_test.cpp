#include "engine/runs/run_index.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "engine/runs/run_store.h"
#include "tests/engine/runs/run_support.h"
#include "tests/support/temporary_folder.h"

namespace anneal::engine {
namespace {

using ::testing::HasSubstr;
using tests::in_another_process;
using tests::sentence_of;
using tests::status_of;

class Index : public ::testing::Test {
 protected:
  std::string make_run(const std::filesystem::path& folder) {
    RunStore store = RunStore::create(folder, {});
    store.write({.items = {StateChange{RunState::kFinished, ""}}});
    return store.id();
  }
  anneal::tests::TemporaryFolder folder_;
  std::filesystem::path runs_ = folder_.path() / "runs";
  RunIndex index_{folder_.path() / "home"};
};

TEST_F(Index, StartsEmptyAndWritesNothingByLooking) {
  EXPECT_TRUE(index_.list().empty());
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "home"));
}

TEST_F(Index, ListsRunsAndFindsThem) {
  const std::string first = make_run(runs_ / "first");
  const std::string second = make_run(runs_ / "second ü");
  index_.add(runs_ / "first");
  index_.add(runs_ / "second ü");
  index_.add(runs_ / "first" / "." / "");  // the same folder
  ASSERT_EQ(index_.list().size(), 2u);
  EXPECT_EQ(index_.find(second), runs_ / "second ü");
  EXPECT_EQ(index_.find(first.substr(0, 7)), runs_ / "first");
  EXPECT_EQ(index_.find((runs_ / "first").string()), runs_ / "first");
  EXPECT_THAT(sentence_of([&] { index_.find(first.substr(0, 7) + "?"); }), HasSubstr("Did you mean " + first + "?"));
  EXPECT_THAT(sentence_of([&] { index_.find("q"); }), HasSubstr("no run has this id or folder"));
  EXPECT_THAT(sentence_of([&] { index_.add(folder_.path()); }), HasSubstr("holds no run"));
  struct stat facts{};
  ::stat((folder_.path() / "home").c_str(), &facts);
  EXPECT_EQ(facts.st_mode & 0777, 0700u);
}

TEST_F(Index, AMissingFolderIsToldAndAMovedOneFoundAgain) {
  const std::string id = make_run(runs_ / "old");
  index_.add(runs_ / "old");
  std::filesystem::rename(runs_ / "old", runs_ / "new");
  ASSERT_EQ(index_.list().size(), 1u);
  EXPECT_THAT(index_.list()[0].trouble, HasSubstr("the folder is gone or was moved"));
  EXPECT_THAT(sentence_of([&] { index_.find(id); }), HasSubstr("the folder is gone or was moved"));
  index_.add(runs_ / "new");
  ASSERT_EQ(index_.list().size(), 1u);  // the old place is not shown beside it
  EXPECT_EQ(index_.find(id), runs_ / "new");
  EXPECT_EQ(index_.forget_missing(), 1);
  EXPECT_EQ(index_.list().size(), 1u);
}

TEST_F(Index, ACopiedRunStandsForTwo) {
  const std::string id = make_run(runs_ / "one");
  std::filesystem::copy(runs_ / "one", runs_ / "two");
  index_.add(runs_ / "one");
  index_.add(runs_ / "two");
  EXPECT_EQ(index_.list().size(), 2u);
  EXPECT_THAT(sentence_of([&] { index_.find(id); }), HasSubstr("stands for 2 runs"));
}

TEST_F(Index, ADamagedRunDoesNotHideTheOthers) {
  make_run(runs_ / "bad");
  make_run(runs_ / "good");
  index_.add(runs_ / "bad");
  index_.add(runs_ / "good");
  folder_.write("runs/bad/run.sqlite", std::string(5000, 'x'));
  const auto runs = index_.list();
  ASSERT_EQ(runs.size(), 2u);
  EXPECT_TRUE(runs[0].facts.has_value());
  EXPECT_THAT(runs[1].trouble, HasSubstr("is damaged"));
}

TEST_F(Index, IsRebuiltFromTheFolders) {
  make_run(runs_ / "a");
  make_run(runs_ / "deep" / "b");
  folder_.write("runs/bad/run.sqlite", std::string(5000, 'x'));
  folder_.write("home/runs.jsonl", "{\"id\": broken\n\xFF\xFE\n[]\n{\"id\":\"x\"}\n");
  EXPECT_TRUE(index_.list().empty());
  EXPECT_EQ(index_.rebuild_from(folder_.path()), 2);
  EXPECT_EQ(index_.list().size(), 2u);
  EXPECT_EQ(index_.rebuild_from(runs_ / "none"), 0);
}

TEST_F(Index, TwoProcessesAddAtOnce) {
  constexpr int kEach = 8;
  for (int i = 0; i < 2 * kEach; ++i) make_run(runs_ / std::to_string(i));
  const pid_t other = in_another_process([&] {
    for (int i = 0; i < kEach; ++i) index_.add(runs_ / std::to_string(i));
  });
  for (int i = kEach; i < 2 * kEach; ++i) index_.add(runs_ / std::to_string(i));
  EXPECT_EQ(status_of(other), 0);
  EXPECT_EQ(index_.list().size(), 2u * kEach);
}

}  // namespace
}  // namespace anneal::engine
