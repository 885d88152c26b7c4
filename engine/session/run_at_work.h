#pragma once
// A run from its first to its last step: made when everything is known, gone when the run has ended.

#include <memory>
#include <optional>
#include <string>

#include "datasets/loading/loader.h"
#include "engine/runs/recorder.h"
#include "engine/runs/run_control.h"
#include "engine/session/preparation.h"
#include "engine/session/run_folder.h"
#include "engine/session/run_log.h"
#include "engine/session/session.h"
#include "engine/training/checkpoint.h"
#include "engine/training/trainer.h"

namespace anneal::engine {

class RunAtWork {
 public:
  // `control` is what this process asks of the run; what other processes ask comes into it through the run's folder.
  RunAtWork(Preparation preparation, const SessionOptions& options, const EventSink& sink, ControlWord& control)
      : prepared_(std::move(preparation)),
        options_(options),
        sink_(sink),
        control_(control),
        folder_(prepared_.recipe.checkpoint.out) {}

  DoneEvent run();

 private:
  RunStore make_store();
  void open_record();
  void build_model();
  void restore();
  void train();
  // One step; false when the run is to end.
  bool train_one(datasets::LoadedStep& step);
  void report_step(const datasets::LoadedStep& step, const StepResult& result, double seconds);
  void evaluate_now();
  void save_checkpoint();
  void save_when_due(bool ends_epoch);
  bool obey_control();
  // Waits as long as `blocked` says so, unless the run is stopped.
  template <class Blocked>
  void wait_paused(const std::string& why, Blocked blocked);
  void notice(const std::string& sentence);
  void tell(const Event& event);
  DoneEvent finish(RunState state, const std::string& reason);
  UpdateOptions update_options(int64_t step) const;
  std::string recipe_hash() const;

  Preparation prepared_;
  const SessionOptions& options_;
  const EventSink& sink_;
  ControlWord& control_;
  RunFolder folder_;
  std::optional<RunLog> log_;  // from the time on when the folder is there
  std::unique_ptr<Recorder> recorder_;
  std::unique_ptr<PlannedModel> model_;
  std::unique_ptr<Trainer> trainer_;
  std::unique_ptr<datasets::Loader> loader_;
  std::string adapter_text_;
  std::string base_fingerprint_;
  RunPosition position_;
  std::optional<double> eval_loss_;  // of the weights as they are now
  std::optional<double> best_eval_loss_;
  std::optional<int64_t> best_step_;
  int64_t checkpoint_step_ = -1;  // of the newest checkpoint
  int64_t fixed_bytes_ = 0;
  std::string end_reason_ = "finished";
};

}  // namespace anneal::engine
