#include "engine/runs/recorder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "engine/runs/run_reader.h"
#include "tests/engine/runs/faulty_disk.h"
#include "tests/support/temporary_folder.h"

namespace anneal::engine {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using tests::FaultyDisk;

RecorderOptions quick() { return {.commit_every = 5ms, .retry_every = 20ms, .heartbeat_every = 20ms}; }

template <class Condition>
bool comes_true(Condition condition) {
  for (int i = 0; i < 2000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(2ms);
  }
  return false;
}

TEST(Recorder, WritesWhatSeveralThreadsPush) {
  const anneal::tests::TemporaryFolder folder;
  Recorder recorder(RunStore::create(folder.path() / "run", {}), quick());
  std::vector<std::thread> threads;
  for (int device = 0; device < 4; ++device) {
    threads.emplace_back([&, device] {
      const std::string name = fmt::format("memory_{}", device);
      for (int64_t step = 1; step <= 500; ++step) recorder.scalars(step, {{name, 1.0 * device}, {"loss", 0.5}});
      recorder.event({.step = 500, .kind = "notice", .data = {{"message", name}}});
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(recorder.flush(20s));
  EXPECT_EQ(recorder.health().waiting, 0);
  const RunReader reader(folder.path() / "run");  // while it goes on
  EXPECT_EQ(reader.metric("memory_3").size(), 500u);
  EXPECT_EQ(reader.metric("loss").size(), 500u);
  EXPECT_EQ(reader.events().size(), 4u);
  EXPECT_EQ(reader.facts().step, 500);
  EXPECT_THAT(recorder.finish(), IsEmpty());
}

TEST(Recorder, TheDestructorWritesTheRest) {
  const anneal::tests::TemporaryFolder folder;
  {
    RecorderOptions slow;
    slow.commit_every = 60s;
    Recorder recorder(RunStore::create(folder.path() / "run", {}), slow);
    recorder.scalars(1, {{"loss", 0.5}});
    recorder.state(RunState::kFinished);
  }
  EXPECT_EQ(RunReader(folder.path() / "run").facts().state, RunState::kFinished);
  EXPECT_EQ(RunReader(folder.path() / "run").facts().last_loss, 0.5);
}

TEST(Recorder, CaseE04AFullDiskLosesNothing) {
  const anneal::tests::TemporaryFolder folder;
  FaultyDisk disk;
  Recorder recorder(RunStore::create(folder.path() / "run", {}, FaultyDisk::kName), quick());
  recorder.scalars(1, {{"loss", 1.0}});
  ASSERT_TRUE(recorder.flush(20s));
  disk.is_full = true;
  for (int64_t step = 2; step <= 50; ++step) recorder.scalars(step, {{"loss", 1.0}});
  recorder.event({.step = 50, .kind = "checkpoint"});
  ASSERT_TRUE(comes_true([&] { return recorder.health().is_disk_full; }));
  EXPECT_THAT(recorder.health().trouble, HasSubstr("the disk is full. Make room."));
  const int refused = disk.refused_writes;
  ASSERT_TRUE(comes_true([&] { return disk.refused_writes > refused; }));  // it looks again by itself
  recorder.scalars(51, {{"loss", 1.0}});
  EXPECT_GE(recorder.health().waiting, 51);
  disk.is_full = false;
  ASSERT_TRUE(comes_true([&] { return recorder.health().waiting == 0; }));
  EXPECT_THAT(recorder.health().trouble, IsEmpty());
  EXPECT_FALSE(recorder.health().is_disk_full);
  EXPECT_EQ(recorder.health().left_out, 0);
  EXPECT_THAT(recorder.finish(), IsEmpty());
  const RunReader reader(folder.path() / "run");
  EXPECT_EQ(reader.metric("loss").size(), 51u);
  EXPECT_EQ(reader.events().size(), 1u);
}

TEST(Recorder, EndingOnAFullDiskSaysSo) {
  const anneal::tests::TemporaryFolder folder;
  FaultyDisk disk;
  Recorder recorder(RunStore::create(folder.path() / "run", {}, FaultyDisk::kName), quick());
  disk.is_full = true;
  recorder.state(RunState::kFinished);
  EXPECT_FALSE(recorder.flush(50ms));
  EXPECT_THAT(recorder.finish(), HasSubstr("the disk is full"));
  disk.is_full = false;
  EXPECT_EQ(RunReader(folder.path() / "run").facts().state,
            RunState::kPreparing);  // this process still seems to hold it
}

TEST(Recorder, AFullQueueLeavesOutNumbersAndNeverEvents) {
  const anneal::tests::TemporaryFolder folder;
  FaultyDisk disk;
  RecorderOptions options = quick();
  options.capacity = 100;
  Recorder recorder(RunStore::create(folder.path() / "run", {}, FaultyDisk::kName), options);
  ASSERT_TRUE(comes_true([&] { return recorder.health().waiting == 0; }));
  disk.is_full = true;
  for (int64_t step = 1; step <= 500; ++step) {
    recorder.scalars(step, {{"loss", 1.0}, {"learning_rate", 1e-4}});
    recorder.event({.step = step, .kind = "checkpoint"});
  }
  const int64_t left_out = recorder.health().left_out;
  EXPECT_GT(left_out, 0);
  disk.is_full = false;
  ASSERT_TRUE(comes_true([&] { return recorder.health().waiting == 0; }));
  recorder.scalars(501, {{"loss", 2.0}});
  EXPECT_THAT(recorder.finish(), IsEmpty());
  const RunReader reader(folder.path() / "run");
  int64_t checkpoints = 0;
  int64_t told = 0;
  for (const RunEvent& event : reader.events()) {
    checkpoints += event.kind == "checkpoint" ? 1 : 0;
    if (event.kind == "notice") told += std::stoll(event.data["message"].get<std::string>());
  }
  EXPECT_EQ(checkpoints, 500);
  EXPECT_EQ(told, left_out);
  const auto numbers = reader.metric("loss").size() + reader.metric("learning_rate").size();
  EXPECT_EQ(static_cast<int64_t>(numbers) + left_out, 1001);
  EXPECT_EQ(reader.facts().step, 501);
  EXPECT_EQ(reader.facts().last_loss, 2.0);
}

// The engine must not wait for whoever looks: neither for a slow reader of the record nor for a stuck disk.
TEST(Recorder, CaseE08PushingNeverWaits) {
  const anneal::tests::TemporaryFolder folder;
  FaultyDisk disk;
  Recorder recorder(RunStore::create(folder.path() / "run", {}, FaultyDisk::kName), quick());
  disk.is_full = true;
  const auto begin = std::chrono::steady_clock::now();
  for (int64_t step = 1; step <= 2000; ++step) recorder.scalars(step, {{"loss", 1.0}});
  EXPECT_LT(std::chrono::steady_clock::now() - begin,
            5s);  // a few milliseconds; 2000 waits for one commit each would be 10 s
  disk.is_full = false;
  EXPECT_TRUE(recorder.flush(20s));
}

TEST(Recorder, ManyNumbersAreReadQuickly) {
  const anneal::tests::TemporaryFolder folder;
  Recorder recorder(RunStore::create(folder.path() / "run", {}), quick());
  for (int64_t step = 1; step <= 2000; ++step) {
    recorder.scalars(step, {{"a", 1}, {"b", 2}, {"c", 3}, {"d", 4}, {"e", 5}, {"f", 6}, {"g", 7}, {"h", 8}});
  }
  ASSERT_TRUE(recorder.flush(20s));
  int64_t rows = 0;
  int64_t last = 0;
  RunReader(folder.path() / "run").for_each_metric([&](int64_t step, const std::string&, double) {
    ++rows;
    EXPECT_GE(step, last);
    last = step;
  });
  EXPECT_EQ(rows, 16000);
}

TEST(Recorder, AWordThatTheFrontEndHoldsTooIsContinuedFromOutside) {
  const anneal::tests::TemporaryFolder folder;
  ControlWord word;
  Recorder recorder(RunStore::create(folder.path() / "run", {}), quick(), &word);
  word.post(ControlRequest::kPause);
  post_request(folder.path() / "run", ControlRequest::kContinue);
  EXPECT_TRUE(comes_true([&] { return !word.is_pause_wanted(); }));
}

TEST(Recorder, PushingAfterTheEndIsAFaultOfOurs) {
  const anneal::tests::TemporaryFolder folder;
  Recorder recorder(RunStore::create(folder.path() / "run", {}), quick());
  recorder.finish();
  EXPECT_THROW(recorder.event({}), InternalError);
  EXPECT_THROW(recorder.scalars(1, {{"loss", 1}}), InternalError);
  EXPECT_THAT(recorder.finish(), IsEmpty());  // a second time does nothing
}

}  // namespace
}  // namespace anneal::engine
