#include "engine/runs/run_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cmath>
#include <fstream>
#include <limits>

#include "engine/runs/run_reader.h"
#include "tests/engine/runs/faulty_disk.h"
#include "tests/engine/runs/run_support.h"
#include "tests/support/temporary_folder.h"

namespace anneal::engine {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using tests::FaultyDisk;
using tests::sentence_of;
using tests::SharedMemory;

const std::string kLoss = "loss";
const std::string kEvalLoss = "eval_loss";

TEST(RunStore, KeepsWhatARunIs) {
  const anneal::tests::TemporaryFolder folder;
  const auto out = folder.path() / "a b" / "läufe";
  std::string id;
  {
    RunStore store = RunStore::create(out, {.recipe = {{"seed", 7}}});
    id = store.id();
    store.write({.scalars = {{&kLoss, 1, 2.5}, {&kLoss, 2, 2.25}},
                 .items = {TotalSteps{20}, StateChange{RunState::kFinished, ""}},
                 .finished_step = 2});
  }
  const RunFacts facts = RunReader(out).facts();
  EXPECT_EQ(facts.id, id);
  EXPECT_EQ(facts.id.size(), 8u);
  EXPECT_EQ(facts.name, "läufe");
  EXPECT_EQ(facts.recipe, (Json{{"seed", 7}}));
  EXPECT_EQ(facts.state, RunState::kFinished);
  EXPECT_EQ(facts.step, 2);
  EXPECT_EQ(facts.total_steps, 20);
  EXPECT_EQ(facts.last_loss, 2.25);
  EXPECT_FALSE(facts.best_step.has_value());
  EXPECT_LT(std::abs(now_ms() - facts.created_ms), 60000);
}

TEST(RunStore, IsReadableByItsOwnerOnly) {
  const anneal::tests::TemporaryFolder folder;
  const RunStore store = RunStore::create(folder.path() / "run", {});
  struct stat facts{};
  ASSERT_EQ(::stat((folder.path() / "run").c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777, 0700u);
  ASSERT_EQ(::stat((folder.path() / "run" / kRecordFile).c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777, 0600u);
}

TEST(RunStore, AFolderThatHoldsOtherThingsKeepsItsPermissions) {
  const anneal::tests::TemporaryFolder folder;
  folder.write("mine/notes.txt", "x");
  ::chmod((folder.path() / "mine").c_str(), 0755);
  const RunStore store = RunStore::create(folder.path() / "mine", {});
  struct stat facts{};
  ::stat((folder.path() / "mine").c_str(), &facts);
  EXPECT_EQ(facts.st_mode & 0777, 0755u);
}

TEST(RunStore, RefusesAFolderThatHoldsARunAndNamesResume) {
  const anneal::tests::TemporaryFolder folder;
  const std::string out = (folder.path() / "run").string();
  {
    const RunStore store = RunStore::create(out, {});
  }
  EXPECT_EQ(sentence_of([&] { RunStore::create(out + "/", {}); }),
            out + ": holds a run already. Choose another folder, or go on with it: anneal resume " + out);
  EXPECT_THAT(sentence_of([&] { RunStore::create(folder.write("file", "x"), {}); }), HasSubstr("a file has this name"));
  EXPECT_THAT(sentence_of([&] { RunStore::take_over(folder.path()); }), HasSubstr("holds no run"));
}

TEST(RunStore, AnEmptyFileOfACrashedStartIsNoRun) {
  const anneal::tests::TemporaryFolder folder;
  folder.write("run/run.sqlite", "");
  EXPECT_EQ(RunStore::create(folder.path() / "run", {}).id().size(), 8u);
}

TEST(RunStore, OneProcessHoldsARun) {
  const anneal::tests::TemporaryFolder folder;
  {
    const RunStore store = RunStore::create(folder.path() / "run", {});
    EXPECT_THAT(sentence_of([&] { RunStore::take_over(folder.path() / "run"); }), HasSubstr("is going on in process "));
    EXPECT_EQ(RunReader(folder.path() / "run").facts().state, RunState::kPreparing);  // the refused one changed nothing
  }
  // Let go without a last word: seen as interrupted at once, though this process lives.
  EXPECT_EQ(RunReader(folder.path() / "run").facts().state, RunState::kInterrupted);
  const RunStore again = RunStore::take_over(folder.path() / "run");
  EXPECT_EQ(RunReader(folder.path() / "run").facts().state, RunState::kPreparing);
}

TEST(RunStore, AResumedRunHasEachStepOnce) {
  const anneal::tests::TemporaryFolder folder;
  {
    RunStore store = RunStore::create(folder.path() / "run", {});
    RecordBatch batch;
    for (int64_t step = 1; step <= 5; ++step) {
      batch.scalars.push_back({&kLoss, step, 10.0 - static_cast<double>(step)});
      batch.items.emplace_back(RunEvent{.step = step, .kind = "eval"});
    }
    batch.items.emplace_back(Artifact{.kind = "checkpoint", .step = 3, .path = "checkpoints/step_3"});
    batch.items.emplace_back(Artifact{.kind = "checkpoint", .step = 5, .path = "checkpoints/step_5"});
    batch.finished_step = 5;
    store.write(batch);
  }
  {
    RunStore store = RunStore::take_over(folder.path() / "run");
    store.rewind_to(3);
    EXPECT_EQ(RunReader(folder.path() / "run").facts().step, 3);
    store.write({.scalars = {{&kLoss, 4, 1.0}}, .items = {RunEvent{.step = 4, .kind = "eval"}}, .finished_step = 4});
  }
  const RunReader reader(folder.path() / "run");
  std::vector<std::pair<int64_t, double>> points;
  for (const MetricPoint& point : reader.metric("loss")) points.emplace_back(point.step, point.value);
  EXPECT_THAT(points, ElementsAre(std::pair(1, 9.0), std::pair(2, 8.0), std::pair(3, 7.0), std::pair(4, 1.0)));
  EXPECT_EQ(reader.events().size(), 4u);
  ASSERT_EQ(reader.artifacts().size(), 1u);
  EXPECT_EQ(reader.facts().step, 4);
}

TEST(RunStore, CaseD18NotANumberIsNeverBest) {
  const anneal::tests::TemporaryFolder folder;
  RunStore store = RunStore::create(folder.path() / "run", {});
  const double nan = std::nan("");
  const double infinity = std::numeric_limits<double>::infinity();
  store.write({.scalars = {{&kEvalLoss, 10, 1.0},
                           {&kEvalLoss, 20, 0.7},
                           {&kEvalLoss, 30, 0.9},
                           {&kEvalLoss, 40, nan},
                           {&kEvalLoss, 50, -infinity},
                           {&kEvalLoss, 60, 0.7}}});
  const RunReader reader(folder.path() / "run");
  EXPECT_EQ(reader.facts().best_step, 20);
  EXPECT_EQ(reader.facts().best_eval_loss, 0.7);
  const std::vector<MetricPoint> points = reader.metric("eval_loss");
  EXPECT_TRUE(std::isnan(points[3].value));
  EXPECT_EQ(points[4].value, -infinity);
}

TEST(RunStore, AMovedFolderKeepsItsHistory) {
  const anneal::tests::TemporaryFolder folder;
  const auto first = folder.path() / "first";
  {
    RunStore store = RunStore::create(first, {});
    store.write(
        {.scalars = {{&kLoss, 1, 2.0}},
         .items = {
             RunEvent{.step = 1, .kind = "notice", .data = {{"message", "ü"}}, .time_ms = 5},
             Artifact{.kind = "checkpoint", .step = 1, .path = (first / "checkpoints/step_1").string(), .bytes = 9},
             Artifact{.kind = "export", .step = 1, .path = "/elsewhere/model.gguf"},
             Artifact{.kind = "checkpoint", .step = 0, .path = "checkpoints/step_0"},
             ForgottenArtifact{(first / "checkpoints/step_0").string()}, StateChange{RunState::kStopped, "by hand"}}});
  }
  EXPECT_FALSE(std::filesystem::exists(first / "run.sqlite-wal"));  // one plain file
  std::filesystem::rename(first, folder.path() / "second");
  const RunReader reader(folder.path() / "second");
  EXPECT_EQ(reader.facts().state, RunState::kStopped);
  EXPECT_EQ(reader.facts().message, "by hand");
  EXPECT_EQ(reader.facts().folder, folder.path() / "second");
  EXPECT_EQ(reader.metric("loss").size(), 1u);
  ASSERT_EQ(reader.events().size(), 1u);
  EXPECT_EQ(reader.events()[0].data["message"], "ü");
  EXPECT_EQ(reader.events()[0].time_ms, 5);
  std::vector<std::string> paths;
  for (const Artifact& artifact : reader.artifacts()) paths.push_back(artifact.path);
  EXPECT_THAT(paths, ::testing::UnorderedElementsAre("checkpoints/step_1", "/elsewhere/model.gguf"));
}

TEST(RunStore, NumbersComeByStepThenByName) {
  const anneal::tests::TemporaryFolder folder;
  RunStore store = RunStore::create(folder.path() / "run", {});
  store.write(
      {.scalars = {{&kLoss, 2, 2}, {&kLoss, 1, 1}, {&kEvalLoss, 2, 3}, {&kLoss, 2, 4}}});  // the last of a step stays
  const RunReader reader(folder.path() / "run");
  std::vector<std::string> lines;
  reader.for_each_metric([&](int64_t step, const std::string& name, double value) {
    lines.push_back(fmt::format("{} {} {}", step, name, value));
  });
  EXPECT_THAT(lines, ElementsAre("1 loss 1", "2 eval_loss 3", "2 loss 4"));
  EXPECT_THAT(reader.metric_names(), ElementsAre("eval_loss", "loss"));
  EXPECT_EQ(reader.metric("loss", 1).size(), 1u);
  EXPECT_THAT(reader.metric("nothing"), IsEmpty());
}

TEST(RunStore, AFailedWriteLeavesNothingBehind) {
  const anneal::tests::TemporaryFolder folder;
  FaultyDisk disk;
  RunStore store = RunStore::create(folder.path() / "run", {}, FaultyDisk::kName);
  disk.is_full = true;
  const RecordBatch batch{
      .scalars = {{&kLoss, 1, 1}}, .items = {RunEvent{.step = 1, .kind = "eval"}}, .finished_step = 1};
  EXPECT_EQ(sentence_of([&] { store.write(batch); }),
            (folder.path() / "run" / kRecordFile).string() + ": the disk is full. Make room.");
  EXPECT_EQ(RunReader(folder.path() / "run").facts().step, 0);
  disk.is_full = false;
  store.write(batch);
  const RunReader reader(folder.path() / "run");
  EXPECT_EQ(reader.facts().step, 1);
  EXPECT_EQ(reader.events().size(), 1u);
}

TEST(RunStore, DoesWithoutAWriteAheadLogAndSaysSo) {
  for (const SharedMemory memory : {SharedMemory::kUnknown, SharedMemory::kFailsAtUse}) {
    const anneal::tests::TemporaryFolder folder;
    const FaultyDisk disk(memory);
    {
      RunStore store = RunStore::create(folder.path() / "run", {}, FaultyDisk::kName);
      EXPECT_FALSE(store.has_write_ahead_log());
      EXPECT_THAT(store.journal_notice(), HasSubstr("rollback journal"));
      store.write({.scalars = {{&kLoss, 1, 1}}, .finished_step = 1});
      EXPECT_EQ(RunReader(folder.path() / "run").facts().step, 1);  // while it is open
      store.write({.scalars = {{&kLoss, 2, 1}}, .finished_step = 2});
    }
    const RunStore again = RunStore::take_over(folder.path() / "run", FaultyDisk::kName);
    EXPECT_EQ(RunReader(folder.path() / "run").facts().step, 2);
  }
}

TEST(RunStore, TakesOverARunWhoseLogCannotBeSharedHere) {
  const anneal::tests::TemporaryFolder folder;
  ASSERT_EQ(tests::status_of(tests::in_another_process([&] {
              RunStore store = RunStore::create(folder.path() / "run", {});
              store.write({.scalars = {{&kLoss, 1, 1}}, .finished_step = 1});
              ::_exit(0);  // without closing
            })),
            0);
  const FaultyDisk disk(SharedMemory::kFailsAtUse);
  {
    RunStore store = RunStore::take_over(folder.path() / "run", FaultyDisk::kName);
    EXPECT_FALSE(store.has_write_ahead_log());
    store.write({.scalars = {{&kLoss, 2, 1}}, .finished_step = 2});
  }
  EXPECT_EQ(RunReader(folder.path() / "run").metric("loss").size(), 2u);
}

}  // namespace
}  // namespace anneal::engine
