// Whole runs through the command line.

#include <thread>

#include "tests/end_to_end/small_world.h"
#include "tests/support/shared_data.h"

namespace anneal::tests {
namespace {

class TrainingProgram : public SmallWorld {
 protected:
  static void expect_same_steps(const std::vector<Json>& a, const std::vector<Json>& b) {
    ASSERT_EQ(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      for (const char* key : {"step", "epoch", "loss", "learning_rate", "gradient_norm", "tokens", "label_tokens"})
        EXPECT_EQ(a[i][key], b[i][key]) << key << " of step " << i + 1;
    }
  }
};

TEST_F(TrainingProgram, TrainsEvaluatesExportsAndAnswers) {
  const Finished trained = anneal.run(train("run", {"--eval", path("rows.jsonl")}));
  ASSERT_EQ(trained.status, 0) << trained.err;
  EXPECT_EQ(trained.err, "");
  EXPECT_EQ(trained.events("plan").size(), 1u);
  EXPECT_EQ(trained.events("step").size(), 36u);
  const Json done = trained.events("done").at(0);
  EXPECT_EQ(done["steps"], 36);
  EXPECT_GT(done["planned_bytes"], 0);
  EXPECT_GT(done["fixed_bytes"], 0);
  EXPECT_GE(done["peak_bytes"], done["planned_bytes"]);
  const auto evals = trained.events("eval");
  EXPECT_LT(evals.back()["loss"], evals.front()["loss"]);

  const Finished evaluated = anneal.run({"eval", "--model", path("run"), "--data", path("rows.jsonl"), "--json"});
  ASSERT_EQ(evaluated.status, 0) << evaluated.err;
  EXPECT_NEAR(evaluated.events()[0]["loss"].get<double>(), done["best_eval_loss"].get<double>(), 1e-5);

  for (const std::string format : {"adapter", "merged"}) {
    const Finished exported =
        anneal.run({"export", "--run", path("run"), "--format", format, "--out", path(format), "--json"});
    ASSERT_EQ(exported.status, 0) << exported.err;
    EXPECT_EQ(exported.events()[0]["verified"]["pass"], true);
    EXPECT_GE(exported.events()[0]["verified"]["positions"], 64);
  }
  const Finished merged = anneal.run({"logits", "--model", path("merged"), "--ids", "1,2,3", "--json"});
  const Finished adapter =
      anneal.run({"logits", "--model", path("model"), "--adapter", path("adapter"), "--ids", "1,2,3", "--json"});
  ASSERT_EQ(merged.status, 0) << merged.err;
  ASSERT_EQ(adapter.status, 0) << adapter.err;
  const auto a = merged.events()[0]["logits"].get<std::vector<double>>();
  const auto b = adapter.events()[0]["logits"].get<std::vector<double>>();
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-4);

  const Finished answer =
      anneal.run({"generate", "--model", path("run"), "--prompt", "say 3: ", "--max-new-tokens", "5", "--json"});
  ASSERT_EQ(answer.status, 0) << answer.err;
  EXPECT_LE(answer.events()[0]["ids"].size(), 5u);
  const Finished runs = anneal.run({"runs", "list", "--json"});
  EXPECT_EQ(runs.events().at(0)["state"], "finished");
}

// kill -9 in the middle of an epoch: resuming gives the losses, rows and rates of a run that was never touched.
TEST_F(TrainingProgram, KilledAndResumedIsTheRunThatWasNeverTouched) {
  const Finished whole = anneal.run(train("whole"));
  ASSERT_EQ(whole.status, 0) << whole.err;
  const pid_t child = anneal.start(train("killed", {"--checkpoint-every-steps", "4"}));
  // After step 18, which no checkpoint holds.
  for (int i = 0; i < 2000 && anneal.printed().find("\"event\":\"step\",\"step\":18") == std::string::npos; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  kill(child, SIGKILL);
  const Finished killed = anneal.wait(child);
  ASSERT_EQ(killed.status, 128 + SIGKILL) << "the run was over before it could be killed";
  const Finished resumed = anneal.run({"resume", path("killed"), "--json"});
  ASSERT_EQ(resumed.status, 0) << resumed.err;
  const auto rest = resumed.events("step");
  const auto expected = whole.events("step");
  ASSERT_FALSE(rest.empty());
  const auto first = rest.front()["step"].get<std::size_t>();
  EXPECT_EQ(first % 4, 1u);
  expect_same_steps(rest, {expected.begin() + static_cast<std::ptrdiff_t>(first) - 1, expected.end()});
}

TEST_F(TrainingProgram, CtrlCAndAClosedTerminalStopAndKeepAndSay130) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    SCOPED_TRACE(signal);
    const pid_t child = anneal.start(train(fmt::format("run_{}", signal), {"--num-epochs", "300"}));
    for (int i = 0; i < 2000 && anneal.printed().find("\"step\":5") == std::string::npos; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    kill(child, signal);
    const Finished stopped = anneal.wait(child);
    EXPECT_EQ(stopped.status, 130) << stopped.err;
    EXPECT_EQ(stopped.events("done").at(0)["reason"], "stopped");
    EXPECT_EQ(stopped.events("checkpoint").size(), 1u);
  }
}

TEST_F(TrainingProgram, ControlPausesContinuesSavesAndStops) {
  AnnealProcess other(folder);
  const pid_t child = anneal.start(train("run", {"--num-epochs", "100000"}));
  for (int i = 0; i < 2000 && anneal.printed().find("\"step\":5") == std::string::npos; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  TemporaryFolder own;
  AnnealProcess remote(own);
  const auto ask = [&](const char* word) { return remote.run({"control", path("run"), word, "--json"}); };
  EXPECT_EQ(ask("pause").events().at(0)["state"], "paused");
  const std::string then = anneal.printed();
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  EXPECT_EQ(anneal.printed(), then);
  EXPECT_EQ(ask("continue").events().at(0)["state"], "running");
  EXPECT_EQ(ask("save").status, 0);
  EXPECT_EQ(ask("stop").events().at(0)["state"], "stopped");
  const Finished stopped = anneal.wait(child);
  EXPECT_EQ(stopped.status, 0) << stopped.err;
  EXPECT_GE(stopped.events("checkpoint").size(), 2u);
}

// F15: one after another, and on after a failure.
TEST_F(TrainingProgram, CaseF15AQueueGoesOnAfterAFailure) {
  const auto add = [&](const std::string& name, const std::string& data) {
    const Json recipe{{"model", path("model")}, {"data", {data}}, {"out", path(name)}, {"max_steps", 2}};
    const Finished added = anneal.run({"queue", "add", folder.write(name + ".json", recipe.dump()), "--json"});
    EXPECT_EQ(added.status, 0) << added.err;
    return added.events().at(0)["id"].get<int64_t>();
  };
  add("first", path("rows.jsonl"));
  add("second", path("nothing.jsonl"));
  add("third", path("rows.jsonl"));
  const int64_t fourth = add("fourth", path("rows.jsonl"));
  EXPECT_EQ(anneal.run({"queue", "remove", std::to_string(fourth)}).status, 0);
  const Finished worked = anneal.run({"queue", "run", "--json"});
  EXPECT_EQ(worked.status, 1);
  EXPECT_EQ(worked.events("done").size(), 2u);
  EXPECT_NE(worked.err.find("nothing.jsonl"), std::string::npos) << worked.err;
  const std::vector<Json> rows = anneal.run({"queue", "list", "--json"}).events();
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(rows[0]["state"], "done");
  EXPECT_EQ(rows[1]["state"], "failed");
  EXPECT_NE(rows[1]["message"].get<std::string>().find("nothing.jsonl"), std::string::npos);
  EXPECT_EQ(rows[2]["state"], "done");
}

// A08: any readable folder works.
TEST_F(TrainingProgram, CaseA08AnyFolderWorks) {
  const std::filesystem::path strange = folder.path() / "a b" / "modèle 模型" / "ü'#";
  std::filesystem::create_directories(strange);
  std::filesystem::rename(path("model"), strange / "model");
  std::filesystem::rename(path("rows.jsonl"), strange / "it's #1.jsonl");
  const std::string out = (strange / "run").string();
  const Finished trained =
      anneal.run({"train", "--model", (strange / "model/").string(), "--data", (strange / "it's #1.jsonl").string(),
                  "--out", out, "--max-steps", "2", "--json"});
  ASSERT_EQ(trained.status, 0) << trained.err;
  const Finished exported =
      anneal.run({"export", "--run", out, "--format", "merged", "--out", (strange / "merged").string(), "--json"});
  EXPECT_EQ(exported.status, 0) << exported.err;
}

// E11: no socket is ever opened: one that is asked for ends the program.
TEST_F(TrainingProgram, CaseE11NoNetworkIsNeeded) {
  anneal.environment = {"LD_PRELOAD=" ANNEAL_REFUSE_SOCKETS, "ASAN_OPTIONS=verify_asan_link_order=0"};
  const Finished trained = anneal.run(train("run", {"--max-steps", "3"}));
  ASSERT_EQ(trained.status, 0) << trained.err;
  const Finished exported =
      anneal.run({"export", "--run", path("run"), "--format", "merged", "--out", path("merged"), "--json"});
  EXPECT_EQ(exported.status, 0) << exported.err;
}

TEST_F(TrainingProgram, PlanSaysWhatIsNeededAndTrainsNothing) {
  const Finished plan = anneal.run({"plan", "--model", path("model"), "--data", path("rows.jsonl"), "--json"});
  ASSERT_EQ(plan.status, 0) << plan.err;
  const Json event = plan.events().back();
  EXPECT_EQ(event["verdict"], "fits");
  EXPECT_GT(event["bytes"]["total"], 0);
  EXPECT_GT(event["flops_per_step"], 0);
  const Finished no = anneal.run(
      {"plan", "--model", path("model"), "--data", path("rows.jsonl"), "--memory-limit-gb", "0.001", "--json"});
  EXPECT_EQ(no.status, 1);
  EXPECT_EQ(no.events().back()["verdict"], "no");
}

// The text of the model is that of another program, token for token.
TEST_F(TrainingProgram, GreedyTextOfARealModel) {
  ANNEAL_NEEDS_SHARED_DATA("models/stories260K/expected_greedy_200.txt");
  const auto model = shared_data() / "models/stories260K";
  const Finished answer =
      anneal.run({"generate", "--model", (model / "hf").string(), "--prompt", "", "--max-new-tokens", "200", "--json"});
  ASSERT_EQ(answer.status, 0) << answer.err;
  std::ifstream file(model / "expected_greedy_200.txt");
  const std::string expected((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  std::string text = answer.events()[0]["text"].get<std::string>();
  const auto trimmed = [](std::string t) {
    while (!t.empty() && (t.back() == '\n' || t.back() == ' ')) t.pop_back();
    return t.substr(std::min(t.find_first_not_of(" \n"), t.size()));
  };
  EXPECT_EQ(trimmed(text), trimmed(expected));
}

}  // namespace
}  // namespace anneal::tests
