// Two processes: one trains, the other asks it to pause, or looks whether it is alive.
#include "engine/runs/run_control.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

#include "engine/runs/process_identity.h"
#include "engine/runs/recorder.h"
#include "engine/runs/run_reader.h"
#include "tests/engine/runs/run_support.h"
#include "tests/support/temporary_folder.h"

namespace anneal::engine {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using tests::in_another_process;
using tests::sentence_of;
using tests::status_of;

constexpr RecorderOptions kQuick{.commit_every = 10ms, .retry_every = 20ms, .heartbeat_every = 20ms};

// A training loop of nothing: it only obeys.
void train_until_stopped(const std::filesystem::path& folder, int saves_wanted) {
  Recorder recorder(RunStore::create(folder, {}), kQuick);
  ControlWord& control = recorder.control();
  recorder.state(RunState::kRunning);
  int64_t step = 0;
  int saves = 0;
  while (!control.is_stop_wanted()) {
    recorder.scalars(++step, {{"loss", 1.0}});
    if (control.is_save_wanted()) {
      recorder.artifact({.kind = "checkpoint", .step = step, .path = fmt::format("step_{}", step)});
      control.save_is_done();
      ++saves;
    }
    if (control.is_pause_wanted()) {
      recorder.state(RunState::kPaused);
      control.wait_while_paused();
      if (!control.is_pause_wanted()) recorder.state(RunState::kRunning);
    }
    std::this_thread::sleep_for(1ms);
  }
  recorder.state(RunState::kStopped, "as asked");
  ensure(recorder.finish().empty(), "the record is not whole");
  ensure(saves == saves_wanted, "a request to save was lost or came twice");
}

void wait_for_record(const std::filesystem::path& folder) {
  for (int i = 0; i < 1000; ++i) {
    try {
      if (RunReader(folder).facts().state == RunState::kRunning) return;
    } catch (const Error&) {
      // not there yet
    }
    std::this_thread::sleep_for(5ms);
  }
  FAIL() << "the run did not start";
}

RunState ask(const std::filesystem::path& folder, ControlRequest request) {
  return wait_for_request(folder, request, post_request(folder, request), 10s);
}

TEST(RunControl, AnotherProcessPausesContinuesSavesAndStops) {
  const anneal::tests::TemporaryFolder folder;
  const auto run = folder.path() / "run";
  const pid_t trainer = in_another_process([&] { train_until_stopped(run, 2); });
  wait_for_record(run);
  EXPECT_EQ(ask(run, ControlRequest::kPause), RunState::kPaused);
  EXPECT_EQ(ask(run, ControlRequest::kSave), RunState::kPaused);  // saved without going on
  EXPECT_EQ(ask(run, ControlRequest::kContinue), RunState::kRunning);
  EXPECT_EQ(ask(run, ControlRequest::kSave), RunState::kRunning);
  EXPECT_EQ(ask(run, ControlRequest::kPause), RunState::kPaused);
  EXPECT_EQ(ask(run, ControlRequest::kStop), RunState::kStopped);  // also while paused
  EXPECT_EQ(status_of(trainer), 0);
  EXPECT_EQ(RunReader(run).artifacts().size(), 2u);
  EXPECT_EQ(RunReader(run).facts().message, "as asked");
  EXPECT_THAT(sentence_of([&] { post_request(run, ControlRequest::kPause); }),
              HasSubstr("no run is going on here; it is stopped at step "));
  EXPECT_THAT(sentence_of([&] { post_request(run, ControlRequest::kPause); }),
              HasSubstr("Go on with it: anneal resume "));
}

TEST(RunControl, AKilledRunIsSeenAsDeadAndMayBeTakenOver) {
  const anneal::tests::TemporaryFolder folder;
  const auto run = folder.path() / "run";
  const pid_t trainer = in_another_process([&] { train_until_stopped(run, 0); });
  wait_for_record(run);
  const RunFacts alive = RunReader(run).facts();
  EXPECT_EQ(alive.process, trainer);
  EXPECT_THAT(sentence_of([&] { RunStore::take_over(run); }),
              HasSubstr(fmt::format("going on in process {}", trainer)));

  post_request(run, ControlRequest::kPause);
  ::kill(trainer, SIGKILL);
  siginfo_t ended{};
  ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(trainer), &ended, WEXITED | WNOWAIT), 0);
  // Not buried yet: it still has a number, and is dead all the same.
  EXPECT_EQ(RunReader(run).facts().state, RunState::kInterrupted);
  status_of(trainer);
  EXPECT_EQ(RunReader(run).facts().state, RunState::kInterrupted);
  EXPECT_THAT(sentence_of([&] { post_request(run, ControlRequest::kStop); }), HasSubstr("it is interrupted at step "));

  // The request to the dead one does not reach the run that goes on.
  Recorder recorder(RunStore::take_over(run), kQuick);
  recorder.event({.step = 1, .kind = "notice"});
  EXPECT_TRUE(recorder.flush(10s));
  std::this_thread::sleep_for(30ms);
  EXPECT_FALSE(recorder.control().is_pause_wanted());
}

TEST(RunControl, AnIdleRunGivesSignsOfLife) {
  const anneal::tests::TemporaryFolder folder;
  Recorder recorder(RunStore::create(folder.path() / "run", {}), kQuick);
  const RunReader reader(folder.path() / "run");
  const int64_t first = reader.facts().heartbeat_ms;
  for (int i = 0; i < 200 && reader.facts().heartbeat_ms == first; ++i) std::this_thread::sleep_for(10ms);
  EXPECT_GT(reader.facts().heartbeat_ms, first);
}

TEST(ControlWord, KeepsWhatWasAsked) {
  ControlWord word;
  EXPECT_FALSE(word.is_pause_wanted() || word.is_save_wanted() || word.is_stop_wanted());
  word.post(ControlRequest::kPause);
  word.post(ControlRequest::kSave);
  EXPECT_TRUE(word.is_pause_wanted());
  word.wait_while_paused();  // returns, as there is something to save
  word.save_is_done();
  EXPECT_FALSE(word.is_save_wanted());
  word.post(ControlRequest::kContinue);
  EXPECT_FALSE(word.is_pause_wanted());
  word.post(ControlRequest::kStop);
  word.post(ControlRequest::kContinue);
  EXPECT_TRUE(word.is_stop_wanted());
  EXPECT_EQ(request_from_name("save"), ControlRequest::kSave);
  EXPECT_FALSE(request_from_name("dance").has_value());
}

TEST(ProcessIdentity, KnowsItselfAndNotItsSuccessor) {
  const std::string self = this_process();
  if (life_of(self) == ProcessLife::kUnknown) GTEST_SKIP() << "this system does not tell boot, namespace or start time";
  EXPECT_EQ(life_of(self), ProcessLife::kAlive);
  EXPECT_EQ(process_number(self), ::getpid());
  EXPECT_EQ(life_of(self + "1"), ProcessLife::kGone);     // the same number, started at another time
  EXPECT_EQ(life_of("x" + self), ProcessLife::kUnknown);  // another boot or machine
  EXPECT_EQ(life_of(""), ProcessLife::kUnknown);
  EXPECT_EQ(life_of("a/b/c/d/e"), ProcessLife::kUnknown);
  EXPECT_TRUE(is_held(self, 0));
  EXPECT_FALSE(is_held(self + "1", now_ms()));
  EXPECT_TRUE(is_held("x" + self, now_ms() - 1000));
  EXPECT_FALSE(is_held("x" + self, now_ms() - 120000));
  EXPECT_FALSE(is_held("", now_ms()));
}

}  // namespace
}  // namespace anneal::engine
