// Records that come from elsewhere: damaged, changed, foreign, newer, in a folder that cannot be written.
#include "engine/runs/run_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "engine/runs/database.h"
#include "engine/runs/run_store.h"
#include "tests/engine/runs/run_support.h"
#include "tests/support/temporary_folder.h"

namespace anneal::engine {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using tests::in_another_process;
using tests::sentence_of;
using tests::status_of;

class ForeignRecord : public ::testing::Test {
 protected:
  ForeignRecord() {
    RunStore store = RunStore::create(run_, {.recipe = {{"seed", 1}}});
    const std::string name = "loss";
    RecordBatch batch{.items = {StateChange{RunState::kFinished, ""}}, .finished_step = 5000};
    for (int64_t step = 1; step <= 5000; ++step) batch.scalars.push_back({&name, step, 1});
    store.write(batch);
  }
  std::string sentence() const {
    return sentence_of([&] {
      const RunReader reader(run_);
      reader.facts();
      reader.events();
      reader.artifacts();
      reader.for_each_metric([](int64_t, const std::string&, double) {});
    });
  }
  void change(const std::string& sql) const { Database(run_ / kRecordFile, DatabaseAccess::kWrite).execute(sql); }

  anneal::tests::TemporaryFolder folder_;
  std::filesystem::path run_ = folder_.path() / "run";
};

TEST_F(ForeignRecord, AGoodOneIsRead) { EXPECT_EQ(sentence(), ""); }

TEST_F(ForeignRecord, NoDatabaseIsOneSentence) {
  folder_.write("run/run.sqlite",
                "This is a page of text and not a database at all, which is more than a header long.");
  EXPECT_EQ(sentence(),
            (run_ / kRecordFile).string() +
                ": is damaged (file is not a database). Restore it from a copy; the files beside it are not touched.");
  EXPECT_THAT(sentence_of([&] { RunStore::take_over(run_); }), HasSubstr("is damaged"));
}

TEST_F(ForeignRecord, OverwrittenPagesAreOneSentence) {
  std::fstream file(run_ / kRecordFile, std::ios::binary | std::ios::in | std::ios::out);
  file.seekp(4096 * 6);
  file << std::string(4096 * 20, '\xA5');
  file.close();
  EXPECT_THAT(sentence(), HasSubstr("is damaged (database disk image is malformed)"));
  EXPECT_THAT(sentence(), Not(HasSubstr("\n")));
}

TEST_F(ForeignRecord, ACutFileIsOneSentence) {
  for (const int bytes : {50, 1000, 4096, 9000}) {
    std::filesystem::resize_file(run_ / kRecordFile, static_cast<std::uintmax_t>(bytes));
    EXPECT_THAT(sentence(), HasSubstr("run.sqlite: ")) << bytes;
  }
}

TEST_F(ForeignRecord, AnotherProgramsDatabaseIsRefused) {
  change("PRAGMA application_id=7");
  EXPECT_THAT(sentence(), EndsWith("run.sqlite: is not the record of a run. Check the path."));
}

TEST_F(ForeignRecord, ANewerVersionIsRefused) {
  change("PRAGMA user_version=2");
  EXPECT_THAT(sentence(), HasSubstr("was written by a newer Anneal (version 2 of the record, this one reads 1)"));
}

TEST_F(ForeignRecord, AChangedSchemaIsRefused) {
  change("DROP TABLE artifact");
  EXPECT_THAT(sentence(), HasSubstr("is not a whole record"));
  change("CREATE TABLE artifact (kind TEXT, path TEXT GENERATED ALWAYS AS (hex(zeroblob(1000000))))");
  EXPECT_THAT(sentence(), HasSubstr("its table \"artifact\" is not one that this program writes"));
}

TEST_F(ForeignRecord, AViewInPlaceOfATableIsRefused) {
  change(
      "DROP TABLE event; CREATE VIEW event AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n) SELECT * "
      "FROM n");
  EXPECT_THAT(sentence(), HasSubstr("its table \"event\" is not one that this program writes"));
}

TEST_F(ForeignRecord, ValuesThatWeWouldNotWriteAreRefused) {
  change("UPDATE run SET state = 'dancing' || char(27)");
  EXPECT_THAT(sentence(), HasSubstr("the state \"dancing\\x1B\" is unknown"));
  change("UPDATE run SET state = 'finished', recipe = '{\"a\":1,'");
  EXPECT_THAT(sentence(), HasSubstr("run.sqlite:1:"));
  change("UPDATE run SET recipe = 'null'; DELETE FROM run");
  EXPECT_THAT(sentence(), HasSubstr("holds no run"));
}

TEST_F(ForeignRecord, AMillionCurvesAreRefused) {
  change(
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000) "
      "INSERT INTO scalar SELECT 'curve' || i, 1, 1 FROM n");
  EXPECT_THAT(sentence(), HasSubstr("holds more than 4096 curves"));
}

// Root may write anywhere, so the reading is done as somebody else.
void become_an_ordinary_user() {
  constexpr unsigned kNobody = 65534;
  if (::geteuid() != 0) return;
  if (::setgid(kNobody) != 0 || ::setuid(kNobody) != 0) throw std::runtime_error("cannot become an ordinary user");
}
void hand_over(const std::filesystem::path& path, mode_t mode) {
  constexpr unsigned kNobody = 65534;
  if (::geteuid() == 0) static_cast<void>(::chown(path.c_str(), kNobody, kNobody) == 0);
  ::chmod(path.c_str(), mode);
}

TEST_F(ForeignRecord, AReadOnlyFolderIsRead) {
  hand_over(folder_.path(), 0755);
  hand_over(run_ / kRecordFile, 0444);
  hand_over(run_, 0555);
  EXPECT_EQ(status_of(in_another_process([&] {
              become_an_ordinary_user();
              const RunReader reader(run_);
              ensure(reader.facts().step == 5000, "the facts are wrong");
              ensure(reader.notice().empty(), "nothing is missing");
              ensure(!std::filesystem::exists(run_ / "run.sqlite-shm"), "something was written");
            })),
            0);
  hand_over(run_, 0700);
}

// A process that dies leaves its log beside the record; in a folder that cannot be written the log cannot be read.
TEST_F(ForeignRecord, AReadOnlyFolderOfADeadRunIsReadUpToItsLog) {
  const std::filesystem::path dead = folder_.path() / "dead";
  hand_over(folder_.path(), 0777);
  ASSERT_EQ(status_of(in_another_process([&] {
              become_an_ordinary_user();
              const std::string name = "loss";
              RunStore store = RunStore::create(dead, {});
              store.write({.scalars = {{&name, 1, 1}}, .finished_step = 1});
              ::_exit(store.has_write_ahead_log() ? 0 : 9);  // without closing
            })) %
                9,
            0);
  std::filesystem::remove(dead / "run.sqlite-shm");
  for (const char* name : {"run.sqlite", "run.sqlite-wal"}) ::chmod((dead / name).c_str(), 0444);
  ::chmod(dead.c_str(), 0555);
  EXPECT_EQ(status_of(in_another_process([&] {
              become_an_ordinary_user();
              const bool has_log = std::filesystem::exists(dead / "run.sqlite-wal");
              const RunReader reader(dead);
              ensure(reader.facts().state == RunState::kInterrupted, "a dead run is seen as dead");
              ensure(reader.notice().empty() != has_log, "the notice tells of the log");
            })),
            0);
  ::chmod(dead.c_str(), 0700);
}

TEST(RunReader, AMissingFolderIsOneSentence) {
  EXPECT_EQ(sentence_of([] { RunReader("/nowhere/at/all"); }), "/nowhere/at/all: holds no run. Check the path.");
}

}  // namespace
}  // namespace anneal::engine
