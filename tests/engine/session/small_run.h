#pragma once
// A tiny model, a few rows and a session over them.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/architecture/new_model.h"
#include "engine/session/session.h"
#include "tests/support/temporary_folder.h"

namespace anneal::engine {

class SmallRun : public ::testing::Test {
 protected:
  void SetUp() override {
    write_new_model(model(), {.hidden_size = 16, .intermediate_size = 32, .max_position_embeddings = 64, .seed = 5});
    std::string rows;
    for (int i = 0; i < 10; ++i)
      rows += fmt::format("{{\"prompt\":\"say {}: \",\"completion\":\"{}{}\"}}\n", i,
                          std::string(static_cast<std::size_t>(i % 4 + 1), 'x'), i);
    data_ = folder_.write("rows.jsonl", rows);
  }

  std::string model() const { return (folder_.path() / "model").string(); }
  std::string out(const std::string& name) const { return (folder_.path() / name).string(); }

  Recipe recipe(const std::string& name) const {
    Recipe recipe;
    recipe.model.model = model();
    recipe.data.data = {data_};
    recipe.data.packing = false;
    recipe.checkpoint.out = out(name);
    recipe.schedule.num_epochs = 3;
    recipe.batch.per_device_batch_size = 1;
    recipe.batch.gradient_accumulation_steps = 1;
    recipe.optimizer.learning_rate = 1e-2;
    recipe.lora.lora_rank = 2;
    recipe.lora.lora_dropout = 0.1;
    recipe.device.threads = 2;
    return recipe;
  }
  SessionOptions options() const {
    SessionOptions options;
    options.home = folder_.path() / "home";
    options.measures_product_rate = false;
    options.disk_retry = std::chrono::milliseconds(50);
    return options;
  }

  // Events of one kind, as they come.
  struct Log {
    std::vector<StepEvent> steps;
    std::vector<EvalEvent> evals;
    std::vector<CheckpointEvent> checkpoints;
    std::vector<std::string> notices;
    void operator()(const Event& event) {
      if (const auto* step = std::get_if<StepEvent>(&event)) steps.push_back(*step);
      if (const auto* eval = std::get_if<EvalEvent>(&event)) evals.push_back(*eval);
      if (const auto* checkpoint = std::get_if<CheckpointEvent>(&event)) checkpoints.push_back(*checkpoint);
      if (const auto* notice = std::get_if<NoticeEvent>(&event)) notices.push_back(notice->message);
    }
    bool told(std::string_view part) const {
      return std::any_of(notices.begin(), notices.end(),
                         [&](const std::string& text) { return text.find(part) != std::string::npos; });
    }
  };

  DoneEvent run(const Recipe& recipe, Log& log) {
    Session session(recipe, [&log](const Event& event) { log(event); }, options());
    return session.run();
  }
  // Stops the run when step `stop_after` has been reported.
  DoneEvent run_and_stop(const Recipe& recipe, Log& log, int64_t stop_after) {
    Session* running = nullptr;
    Session session(
        recipe,
        [&](const Event& event) {
          log(event);
          if (const auto* step = std::get_if<StepEvent>(&event); step != nullptr && step->step == stop_after)
            running->control().post(ControlRequest::kStop);
        },
        options());
    running = &session;
    return session.run();
  }
  DoneEvent resume(const std::string& name, Log& log) {
    const auto session = Session::resume(out(name), [&log](const Event& event) { log(event); }, options());
    return session->run();
  }

  tests::TemporaryFolder folder_;
  std::string data_;
};

// The losses, rates and norms of a run, to the bit.
inline void expect_same_steps(const std::vector<StepEvent>& a, const std::vector<StepEvent>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_EQ(a[i].step, b[i].step);
    EXPECT_EQ(a[i].loss, b[i].loss) << "step " << a[i].step;
    EXPECT_EQ(a[i].gradient_norm, b[i].gradient_norm) << "step " << a[i].step;
    EXPECT_EQ(a[i].learning_rate, b[i].learning_rate) << "step " << a[i].step;
    EXPECT_EQ(a[i].tokens, b[i].tokens) << "step " << a[i].step;
    EXPECT_EQ(a[i].epoch, b[i].epoch) << "step " << a[i].step;
  }
}

}  // namespace anneal::engine
