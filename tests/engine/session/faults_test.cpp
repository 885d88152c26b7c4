// What a run survives: a full disk, numbers that are not finite, bad settings.

#include <cmath>
#include <limits>
#include <thread>

#include "engine/files/open_file.h"
#include "engine/model/weights.h"
#include "engine/training/checkpoint.h"
#include "tests/engine/session/small_run.h"
#include "tests/support/failing_files.h"

namespace anneal::engine {
namespace {

class FaultsTest : public SmallRun {
 protected:
  static std::vector<int64_t> steps_of(const std::vector<CheckpointInfo>& checkpoints) {
    std::vector<int64_t> steps;
    for (const auto& checkpoint : checkpoints) steps.push_back(checkpoint.state.position.step);
    return steps;
  }
  std::vector<CheckpointInfo> checkpoints(const std::string& name) const {
    return list_checkpoints(std::filesystem::path(out(name)) / "checkpoints");
  }
  static bool is_finite(const CheckpointInfo& checkpoint) {
    const SafetensorsFile file = SafetensorsFile::open((checkpoint.path / "adapter_model.safetensors").string());
    return std::none_of(file.entries().begin(), file.entries().end(), [](const TensorEntry& entry) {
      std::vector<float> values(static_cast<std::size_t>(entry.elements()));
      read_as(entry, DType::kF32, values.data());
      return first_non_finite(values.data(), DType::kF32, entry.elements()).has_value();
    });
  }
};

// E04: the run pauses on a full disk, keeps what it has, and goes on when there is room; the checkpoint before stands.
TEST_F(FaultsTest, CaseE04AFullDiskPausesAndTheRunGoesOn) {
  Log whole;
  run(recipe("whole"), whole);

  tests::FailingFiles disk;
  Recipe saving = recipe("run");
  saving.checkpoint.checkpoint_every_steps = 5;
  SessionOptions faulty = options();
  faulty.files = &disk;
  Log log;
  int64_t old_checkpoints = -1;
  Session session(
      saving,
      [&](const Event& event) {
        log(event);
        if (const auto* step = std::get_if<StepEvent>(&event); step != nullptr && step->step == 9) disk.room = 0;
        const auto* notice = std::get_if<NoticeEvent>(&event);
        if (notice != nullptr && notice->message.find("waits") != std::string::npos) {
          old_checkpoints = static_cast<int64_t>(checkpoints("run").size());
          disk.room = INT64_MAX;
        }
      },
      faulty);
  EXPECT_EQ(session.run().reason, "finished");
  EXPECT_EQ(old_checkpoints, 1);  // that of step 5
  EXPECT_TRUE(log.told("waits"));
  expect_same_steps(log.steps, whole.steps);
  EXPECT_EQ(checkpoints("run").back().state.position.step, 30);
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(out("run")) / "checkpoints")) {
    EXPECT_EQ(entry.path().string().find("partial"), std::string::npos) << entry.path();
  }
}

// D12: an infinity in a gradient ends the run before a weight is touched; the last good checkpoint stands and is
// finite.
TEST_F(FaultsTest, CaseD12ANonFiniteGradientTouchesNoWeight) {
  Recipe saving = recipe("run");
  saving.checkpoint.checkpoint_every_steps = 1;
  SessionOptions hooked = options();
  hooked.before_update = [](Model& model, int64_t step) {
    if (step == 3) trained_parameters(model)[1]->gradient.as<float>()[0] = std::numeric_limits<float>::infinity();
  };
  Log log;
  Session session(
      saving, [&](const Event& event) { log(event); }, hooked);
  try {
    session.run();
    FAIL() << "the run went on";
  } catch (const Error& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("step 3"), std::string::npos) << text;
    EXPECT_NE(text.find("lora_B"), std::string::npos) << text;
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
  }
  EXPECT_EQ(log.steps.size(), 2u);
  EXPECT_EQ(checkpoints("run").back().state.position.step, 2);
  for (const auto& checkpoint : checkpoints("run")) EXPECT_TRUE(is_finite(checkpoint)) << checkpoint.path;
  // And goes on from there.
  Log whole, rest;
  run(recipe("whole"), whole);
  resume("run", rest);
  EXPECT_EQ(rest.steps.front().step, 3);
  EXPECT_EQ(rest.steps.front().loss, whole.steps[2].loss);
}

TEST_F(FaultsTest, CaseD12ALearningRateOfTenToTheThirtyEndsWithASentence) {
  Recipe wild = recipe("run");
  wild.optimizer.learning_rate = 1e30;
  wild.optimizer.max_grad_norm = 0;
  wild.schedule.warmup_steps = 0;
  wild.checkpoint.checkpoint_every_steps = 1;
  Log log;
  EXPECT_THROW(run(wild, log), Error);
  for (const auto& checkpoint : checkpoints("run")) EXPECT_TRUE(is_finite(checkpoint)) << checkpoint.path;
}

// D18: best and last stay, whatever else goes; NaN is never best.
TEST(CheckpointKeeping, CaseD18BestAndLastStay) {
  const tests::TemporaryFolder folder;
  const auto write = [&](int64_t step, double loss) {
    const auto path = folder.path() / fmt::format("step_{:08}", step);
    std::filesystem::create_directories(path);
    const Json json{{"checkpoint_version", 1},
                    {"step", step},
                    {"epoch", 0},
                    {"step_in_epoch", step},
                    {"tokens", 1},
                    {"label_tokens", 1},
                    {"evaluations_without_gain", 0},
                    {"eval_loss", std::isnan(loss) ? Json() : Json(loss)},
                    {"recipe_sha256", ""},
                    {"files", Json::array()}};
    write_text_durably((path / "state.json").string(), to_text(json));
  };
  write(1, 1.0);
  write(2, 0.7);
  write(3, 0.9);
  write(4, std::nan(""));
  const auto steps = [&] {
    std::vector<int64_t> list;
    for (const auto& checkpoint : list_checkpoints(folder.path())) list.push_back(checkpoint.state.position.step);
    return list;
  };
  EXPECT_EQ(best_checkpoint(list_checkpoints(folder.path()))->state.position.step, 2);
  remove_old_checkpoints(folder.path(), 1);
  EXPECT_EQ(steps(), (std::vector<int64_t>{2, 3, 4}));
  remove_old_checkpoints(folder.path(), 0);
  EXPECT_EQ(steps(), (std::vector<int64_t>{2, 4}));
}

// Killed while one was written and while one was removed.
TEST(CheckpointKeeping, LeftoversOfAKilledProcessGo) {
  const tests::TemporaryFolder folder;
  folder.write("step_00000004.partial/model.safetensors", "half");
  folder.write("step_00000002/optimizer.safetensors", "half");
  folder.write("mine/notes.txt", "no checkpoint");
  EXPECT_TRUE(list_checkpoints(folder.path()).empty());
  remove_old_checkpoints(folder.path(), 2);
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "step_00000004.partial"));
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "step_00000002"));
  EXPECT_TRUE(std::filesystem::exists(folder.path() / "mine/notes.txt"));
}

TEST_F(FaultsTest, WhatThisVersionCannotDoIsRefusedBeforeAnythingIsMade) {
  for (const char* device : {"cuda", "cuda:0,1"}) {
    Recipe on_card = recipe("run");
    on_card.device.device = device;
    Log log;
    EXPECT_THROW(run(on_card, log), ProblemError) << device;
  }
  EXPECT_FALSE(std::filesystem::exists(out("run")));
  Recipe over_a_file = recipe("file");
  folder_.write("file", "not a folder");
  Log log;
  EXPECT_THROW(run(over_a_file, log), ProblemError);
}

TEST_F(FaultsTest, OddSettingsAreSaid) {
  Recipe odd = recipe("run");
  odd.data.eval_data = odd.data.data;
  odd.schedule.max_steps = 1;
  std::vector<std::string> facts;
  Session session(
      odd,
      [&](const Event& event) {
        if (const auto* plan = std::get_if<PlanEvent>(&event)) facts = plan->facts;
      },
      options());
  session.run();
  EXPECT_TRUE(std::any_of(facts.begin(), facts.end(),
                          [](const std::string& fact) { return fact.find("is learned too") != std::string::npos; }));
}

TEST_F(FaultsTest, EverythingThatIsWrongIsSaidAtOnceAndNothingIsMade) {
  Recipe wrong = recipe("run");
  wrong.optimizer.learning_rate = -1;
  wrong.lora.lora_dropout = 2;
  Log log;
  try {
    run(wrong, log);
    FAIL();
  } catch (const ProblemError& error) {
    EXPECT_GE(error.problems().size(), 2u) << error.what();
    for (const Problem& problem : error.problems()) EXPECT_FALSE(problem.remedy.empty()) << problem.path;
  }
  EXPECT_FALSE(std::filesystem::exists(out("run")));
}

TEST_F(FaultsTest, AMemoryLimitThatCannotBeKeptIsRefusedWithFigures) {
  Recipe small = recipe("run");
  small.memory.memory_limit_gb = 0.001;
  Log log;
  try {
    run(small, log);
    FAIL();
  } catch (const ProblemError& error) {
    EXPECT_NE(std::string(error.what()).find("MB needed"), std::string::npos) << error.what();
  }
  EXPECT_FALSE(std::filesystem::exists(out("run")));
}

TEST_F(FaultsTest, ANewModelThatDoesNotKnowAModuleNamesThem) {
  Recipe wrong = recipe("run");
  wrong.lora.target_modules = {"w_pack"};
  Log log;
  try {
    run(wrong, log);
    FAIL();
  } catch (const ProblemError& error) {
    EXPECT_NE(std::string(error.what()).find("q_proj"), std::string::npos) << error.what();
  }
}

TEST_F(FaultsTest, AStopWhileDataAreReadMakesNothing) {
  std::string rows;
  for (int i = 0; i < 3000; ++i) rows += fmt::format("{{\"prompt\":\"say {}: \",\"completion\":\"x\"}}\n", i);
  Recipe long_read = recipe("run");
  long_read.data.data = {folder_.write("many.jsonl", rows)};
  Session* running = nullptr;
  Session session(
      long_read,
      [&](const Event& event) {
        if (std::holds_alternative<ProgressEvent>(event)) running->control().post(ControlRequest::kStop);
      },
      options());
  running = &session;
  const DoneEvent done = session.run();
  EXPECT_EQ(done.reason, "stopped");
  EXPECT_EQ(done.steps, 0);
  EXPECT_FALSE(std::filesystem::exists(out("run")));
  // What was read so far left no half-made cache behind: the next run reads all of it.
  Log log;
  long_read.schedule.max_steps = 1;
  EXPECT_EQ(run(long_read, log).reason, "finished");
}

TEST_F(FaultsTest, TheLogTellsTheRunWithTimes) {
  Recipe short_run = recipe("run");
  short_run.schedule.max_steps = 2;
  Log log;
  run(short_run, log);
  const std::string text = read_text_file(out("run") + "/log.txt", 1 << 20);
  EXPECT_NE(text.find("Precision"), std::string::npos) << text;
  EXPECT_NE(text.find("step 1  epoch"), std::string::npos) << text;
  EXPECT_NE(text.find("checkpoint of step 2"), std::string::npos) << text;
  EXPECT_NE(text.find("Done (finished): 2 steps"), std::string::npos) << text;
  // "2026-01-31 12:00:00  text"
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    ASSERT_GT(line.size(), 21u);
    EXPECT_TRUE(line[4] == '-' && line[10] == ' ' && line[13] == ':' && line[19] == ' ') << line;
  }
}

}  // namespace
}  // namespace anneal::engine
