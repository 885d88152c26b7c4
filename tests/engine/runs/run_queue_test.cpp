#include "engine/runs/run_queue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "engine/runs/database.h"
#include "tests/engine/runs/run_support.h"
#include "tests/support/temporary_folder.h"

namespace anneal::engine {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using tests::in_another_process;
using tests::sentence_of;
using tests::status_of;

bool never() { return false; }

std::vector<std::string> states(const RunQueue& queue) {
  std::vector<std::string> all;
  for (const QueuedRun& run : queue.list()) all.emplace_back(queue_state_name(run.state));
  return all;
}

TEST(RunQueue, CaseF15GoesOnAfterAFailure) {
  const anneal::tests::TemporaryFolder folder;
  RunQueue queue(folder.path() / "home");
  for (const char* data : {"a.jsonl", "bad.jsonl", "c.jsonl"}) queue.add({{"data", data}}, data);
  EXPECT_THAT(states(queue), ElementsAre("waiting", "waiting", "waiting"));
  std::vector<std::string> trained;
  const int64_t failed = queue.run(
      [&](const QueuedRun& run) {
        if (run.recipe["data"] == "bad.jsonl") throw input_error("bad.jsonl:3: no row can be read. Correct it.");
        trained.push_back(run.recipe["data"]);
        EXPECT_EQ(queue.list()[static_cast<std::size_t>(run.id - 1)].state, QueueState::kRunning);
        return true;
      },
      never);
  EXPECT_EQ(failed, 1);
  EXPECT_THAT(trained, ElementsAre("a.jsonl", "c.jsonl"));
  EXPECT_THAT(states(queue), ElementsAre("done", "failed", "done"));
  EXPECT_EQ(queue.list()[1].message, "bad.jsonl:3: no row can be read. Correct it.");
  EXPECT_GT(queue.list()[2].finished_ms, 0);
  EXPECT_EQ(RunQueue(folder.path() / "home").list().size(), 3u);  // kept
}

TEST(RunQueue, MayGrowAndShrinkWhileItRuns) {
  const anneal::tests::TemporaryFolder folder;
  RunQueue queue(folder.path());
  const int64_t first = queue.add({}, "first");
  const int64_t second = queue.add({}, "second");
  std::vector<std::string> trained;
  queue.run(
      [&](const QueuedRun& run) {
        trained.push_back(run.name);
        if (run.id == first) {
          EXPECT_THAT(sentence_of([&] { RunQueue(folder.path()).remove(first); }),
                      HasSubstr("is running. Stop it first."));
          RunQueue(folder.path()).remove(second);
          RunQueue(folder.path()).add({}, "third");
        }
        return true;
      },
      never);
  EXPECT_THAT(trained, ElementsAre("first", "third"));
  EXPECT_THAT(sentence_of([&] { queue.remove(99); }), HasSubstr("nothing in the queue has this number"));
}

TEST(RunQueue, AStoppedRunGoesOnNextTime) {
  const anneal::tests::TemporaryFolder folder;
  RunQueue queue(folder.path());
  queue.add({}, "first");
  queue.add({}, "second");
  bool is_stopped = false;
  const auto stop_at_once = [&](const QueuedRun&) {
    is_stopped = true;
    return false;
  };
  EXPECT_EQ(queue.run(stop_at_once, [&] { return is_stopped; }), 0);
  EXPECT_THAT(states(queue), ElementsAre("interrupted", "waiting"));
  std::vector<QueueState> seen;
  queue.run(
      [&](const QueuedRun& run) {
        seen.push_back(run.state);
        return true;
      },
      never);
  EXPECT_THAT(seen, ElementsAre(QueueState::kInterrupted, QueueState::kWaiting));
}

TEST(RunQueue, ADeadWorkerIsSeenAndALivingOneWaitedFor) {
  const anneal::tests::TemporaryFolder folder;
  {
    RunQueue queue(folder.path());
    queue.add({}, "long");
  }
  EXPECT_EQ(status_of(in_another_process(
                [&] { RunQueue(folder.path()).run([](const QueuedRun&) -> bool { ::_exit(7); }, never); })),
            7);
  RunQueue queue(folder.path());
  EXPECT_THAT(states(queue), ElementsAre("interrupted"));
  queue.run(
      [&](const QueuedRun&) {
        EXPECT_EQ(status_of(in_another_process([&] {
                    try {
                      RunQueue(folder.path()).run([](const QueuedRun&) { return true; }, never);
                    } catch (const Error& error) {
                      ::_exit(std::string(error.what()).find("another process works on the queue") != std::string::npos
                                  ? 5
                                  : 6);
                    }
                  })),
                  5);
        return true;
      },
      never);
  EXPECT_THAT(states(queue), ElementsAre("done"));
}

TEST(RunQueue, AForeignFileIsRefused) {
  const anneal::tests::TemporaryFolder folder;
  Database(folder.path() / "queue.sqlite", DatabaseAccess::kCreate).execute("CREATE TABLE other (a)");
  EXPECT_THAT(sentence_of([&] { RunQueue(folder.path()); }), HasSubstr("is not the queue of this program"));
}

}  // namespace
}  // namespace anneal::engine
