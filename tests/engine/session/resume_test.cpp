// Going on exactly where a run stopped.

#include <algorithm>

#include "engine/runs/run_reader.h"
#include "engine/session/model_source.h"
#include "engine/training/checkpoint.h"
#include "tests/engine/session/small_run.h"

namespace anneal::engine {
namespace {

class ResumeTest : public SmallRun {
 protected:
  // Another model of the same shape takes the base's place.
  void change_base_weights() const {
    std::filesystem::remove_all(model());
    write_new_model(model(), {.hidden_size = 16, .intermediate_size = 32, .max_position_embeddings = 64, .seed = 6});
  }
};

// E01, E02: 10 rows, 3 epochs, stopped after step 14: steps 15 to 30 have the losses, rows and rates of a run that was
// never stopped.
TEST_F(ResumeTest, CaseE01E02GoesOnInTheMiddleOfAnEpochToTheBit) {
  for (const Method method : {Method::kLora, Method::kFull}) {
    const std::string name = method == Method::kLora ? "lora" : "full";
    Recipe whole_recipe = recipe(name + "_whole");
    whole_recipe.method.method = method;
    Log whole;
    run(whole_recipe, whole);
    ASSERT_EQ(whole.steps.size(), 30u);

    Recipe stopped_recipe = recipe(name + "_stopped");
    stopped_recipe.method.method = method;
    Log parts;
    EXPECT_EQ(run_and_stop(stopped_recipe, parts, 14).reason, "stopped");
    EXPECT_EQ(parts.steps.back().step, 14);
    EXPECT_EQ(resume(name + "_stopped", parts).reason, "finished");
    expect_same_steps(parts.steps, whole.steps);
  }
}

// A stop inside an accumulation window drops the window: the checkpoint is that of the last finished step.
TEST_F(ResumeTest, AStopInsideAWindowDropsItsMicroBatches) {
  Recipe accumulating = recipe("whole");
  accumulating.batch.gradient_accumulation_steps = 4;
  Log whole;
  run(accumulating, whole);
  ASSERT_EQ(whole.steps.size(), 9u);  // 4 + 4 + 2 rows an epoch

  accumulating.checkpoint.out = out("stopped");
  Log parts;
  Session* running = nullptr;
  SessionOptions hooked = options();
  // Asked for while step 5 is about to be applied: it is, and step 6 begins with nothing.
  hooked.before_update = [&](Model&, int64_t step) {
    if (step == 5) running->control().post(ControlRequest::kStop);
  };
  Session session(
      accumulating, [&](const Event& event) { parts(event); }, hooked);
  running = &session;
  EXPECT_EQ(session.run().reason, "stopped");
  EXPECT_EQ(parts.steps.back().step, 5);
  resume("stopped", parts);
  expect_same_steps(parts.steps, whole.steps);
}

TEST_F(ResumeTest, AFinishedRunIsDone) {
  Log log;
  run(recipe("run"), log);
  const std::size_t steps = log.steps.size();
  EXPECT_EQ(resume("run", log).reason, "finished");
  EXPECT_EQ(log.steps.size(), steps);
}

TEST_F(ResumeTest, AnOutThatHoldsARunIsRefusedAndResumeNamed) {
  Log log;
  run(recipe("run"), log);
  try {
    run(recipe("run"), log);
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("anneal resume"), std::string::npos) << error.what();
  }
}

TEST_F(ResumeTest, ChangedDataIsRefused) {
  Log log;
  run_and_stop(recipe("run"), log, 5);
  folder_.write("rows.jsonl", "{\"prompt\":\"a\",\"completion\":\"b\"}\n");
  EXPECT_THROW(resume("run", log), Error);
}

// An adapter over other weights answers nonsense: neither resumed nor opened.
TEST_F(ResumeTest, OtherBaseWeightsAreRefused) {
  Log log;
  run_and_stop(recipe("run"), log, 5);
  EXPECT_NO_THROW(open_model({.model = out("run")}));
  change_base_weights();
  const auto is_refused = [](const auto& work) {
    try {
      work();
    } catch (const Error& error) {
      return error.kind() == ErrorKind::kInput && std::string(error.what()).find("other weights") != std::string::npos;
    }
    return false;
  };
  EXPECT_TRUE(is_refused([&] { resume("run", log); }));
  EXPECT_TRUE(is_refused([&] { open_model({.model = out("run")}); }));
  EXPECT_EQ(log.steps.back().step, 5);
}

// Full fine-tuning brings its weights along: what became of the base does not matter.
TEST_F(ResumeTest, AFullRunNeedsNoBaseWeightsOfOld) {
  Recipe full = recipe("run");
  full.method.method = Method::kFull;
  Log log;
  run_and_stop(full, log, 5);
  change_base_weights();
  EXPECT_NO_THROW(open_model({.model = out("run")}));
  EXPECT_EQ(resume("run", log).reason, "finished");
}

// The history has each step once, also after steps that were lost.
TEST_F(ResumeTest, HistoryHasEachStepOnce) {
  Log log;
  run_and_stop(recipe("run"), log, 7);
  resume("run", log);
  const auto curve = RunReader(out("run")).metric("loss");
  ASSERT_EQ(curve.size(), 30u);
  for (std::size_t i = 0; i < curve.size(); ++i) {
    EXPECT_EQ(curve[i].step, static_cast<int64_t>(i) + 1);
    EXPECT_EQ(curve[i].value, log.steps[i].loss);
  }
}

// D15: same seed, same adapters, order, dropout: all losses to the bit; another seed, another run.
TEST_F(ResumeTest, CaseD15TheSeedReachesEverything) {
  Log first, second, other;
  run(recipe("a"), first);
  run(recipe("b"), second);
  expect_same_steps(first.steps, second.steps);
  Recipe seeded = recipe("c");
  seeded.method.seed = 43;
  run(seeded, other);
  EXPECT_NE(first.steps[5].loss, other.steps[5].loss);
}

TEST_F(ResumeTest, AMovedRunGoesOn) {
  Log whole, parts;
  run(recipe("whole"), whole);
  run_and_stop(recipe("run"), parts, 9);
  std::filesystem::create_directories(folder_.path() / "über hier");
  std::filesystem::rename(out("run"), folder_.path() / "über hier" / "run 2");
  resume("über hier/run 2", parts);
  expect_same_steps(parts.steps, whole.steps);
}

}  // namespace
}  // namespace anneal::engine
