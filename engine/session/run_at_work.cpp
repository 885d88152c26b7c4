#include "engine/session/run_at_work.h"

#include <algorithm>
#include <cmath>
#include <thread>

#include "engine/model/weights.h"
#include "engine/recipe/recipe_file.h"
#include "engine/runs/run_index.h"
#include "engine/session/evaluation.h"
#include "engine/session/event_json.h"
#include "engine/session/memory_use.h"
#include "engine/session/model_source.h"
#include "kernels/core/sha256.h"

namespace anneal::engine {

// ---- beginning ----

std::string RunAtWork::recipe_hash() const {
  Recipe recipe = prepared_.recipe;
  recipe.checkpoint.out.clear();  // a run may be moved
  return sha256_of(to_text(recipe_to_json(recipe)) + prepared_.data_key);
}

RunStore RunAtWork::make_store() {
  const std::filesystem::path& path = folder_.path();
  if (holds_a_run(path)) {
    RunStore store = RunStore::take_over(path);
    const std::vector<CheckpointInfo> all = list_checkpoints(folder_.checkpoints());
    store.rewind_to(all.empty() ? 0 : all.back().state.position.step);
    return store;
  }
  std::filesystem::create_directories(path);
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  save_recipe(prepared_.recipe, folder_.recipe());
  copy_base_files(prepared_.description.folder, folder_.base());
  const datasets::RowEncoder& encoder = *prepared_.encoding.encoder;
  if ((encoder.uses_plain_form() && encoder.tokenizer().reads_text()) || !prepared_.recipe.data.chat_template.empty()) {
    // What the model was trained with goes along with it.
    write_text_durably((folder_.base() / "chat_template.jinja").string(), encoder.chat_template().source());
  }
  return RunStore::create(path, {.recipe = recipe_to_json(prepared_.recipe)});
}

void RunAtWork::open_record() {
  RunStore store = make_store();
  const std::string journal = store.journal_notice();
  recorder_ = std::make_unique<Recorder>(std::move(store), RecorderOptions{}, &control_);
  log_.emplace(folder_.log());
  log_->add(prepared_.event);
  recorder_->state(RunState::kPreparing);
  recorder_->total_steps(prepared_.total_steps);
  try {
    RunIndex(options_.home).add(folder_.path());
  } catch (const Error& error) {
    notice(error.what());
  }
  if (!journal.empty()) notice(journal);
}

void RunAtWork::build_model() {
  // Of what an adapter stands on; full fine-tuning brings its own weights along.
  if (!prepared_.build.training.trains_weights) base_fingerprint_ = prepared_.description.weights.fingerprint();
  fixed_bytes_ = resident_bytes();
  model_ = std::make_unique<PlannedModel>(prepared_.description.architecture, prepared_.build, *prepared_.backend);
  load_weights(**model_, prepared_.description.weights);
  prepared_.description.weights = {};  // unmapped: from here on the weights live in the arena alone
  if (!prepared_.build.training.trains_weights) {
    (*model_)->initialize_adapters();
    adapter_text_ = adapter_config_text(prepared_.adapter);
    if (!prepared_.recipe.model.adapter.empty()) {
      load_adapters(
          **model_,
          SafetensorsFile::open(
              (std::filesystem::path(prepared_.recipe.model.adapter) / "adapter_model.safetensors").string()));
    }
  }
  trainer_ = std::make_unique<Trainer>(**model_, static_cast<uint64_t>(prepared_.recipe.method.seed));
  trainer_->before_update = options_.before_update;
}

void RunAtWork::restore() {
  const std::vector<CheckpointInfo> all = list_checkpoints(folder_.checkpoints());
  if (const CheckpointInfo* best = best_checkpoint(all)) {
    best_eval_loss_ = best->state.eval_loss;
    best_step_ = best->state.position.step;
  }
  if (all.empty()) return;
  const CheckpointInfo& last = all.back();
  if (last.state.recipe_sha256 != recipe_hash()) {
    throw input_error(
        "{}: recipe, model or data are not those that the run began with. Put them back, or begin a new run with "
        "--adapter or --model from this one.",
        folder_.path().string());
  }
  check_base(last.state, base_fingerprint_, prepared_.recipe.model.model);
  remove_old_checkpoints(folder_.checkpoints(), prepared_.recipe.checkpoint.keep_checkpoints);
  restore_checkpoint(last, **model_);
  position_ = last.state.position;
  eval_loss_ = last.state.eval_loss;
  checkpoint_step_ = position_.step;
  notice(fmt::format("Going on after step {}.", position_.step));
}

// ---- the loop ----

DoneEvent RunAtWork::run() {
  open_record();
  try {
    build_model();
    restore();
    reset_peak();
    if (position_.step == 0 && prepared_.eval) evaluate_now();
    recorder_->state(RunState::kRunning);
    loader_ = std::make_unique<datasets::Loader>(std::move(*prepared_.train), prepared_.packing, prepared_.accumulation,
                                                 position_.loading);
    train();
    const bool is_stopped = end_reason_ == "stopped";
    return finish(is_stopped ? RunState::kStopped : RunState::kFinished, end_reason_);
  } catch (const std::exception& error) {
    recorder_->event({.step = position_.step, .kind = "error", .data = {{"message", error.what()}}});
    recorder_->state(RunState::kFailed, error.what());
    log_->add_text(error.what());
    recorder_->finish();
    throw;
  }
}

void RunAtWork::train() {
  datasets::LoadedStep step;
  while (position_.step < prepared_.total_steps) {
    if (!obey_control()) break;
    loader_->next(step);
    if (!train_one(step)) break;
  }
  const bool is_stopped = control_.is_stop_wanted() && position_.step < prepared_.total_steps;
  if (is_stopped) end_reason_ = "stopped";
  if (!is_stopped && prepared_.eval && !eval_loss_) evaluate_now();
  save_checkpoint();
}

UpdateOptions RunAtWork::update_options(int64_t step) const {
  const OptimizerOptions& optimizer = prepared_.recipe.optimizer;
  return {.learning_rate = learning_rate_at(prepared_.schedule, step),
          .beta1 = optimizer.adam_beta1,
          .beta2 = optimizer.adam_beta2,
          .epsilon = optimizer.adam_epsilon,
          .weight_decay = optimizer.weight_decay,
          .decays_norms = optimizer.decay_norms,
          .max_norm = optimizer.max_grad_norm};
}

bool RunAtWork::train_one(datasets::LoadedStep& step) {
  const auto begin = std::chrono::steady_clock::now();
  const int64_t number = position_.step + 1;
  std::optional<StepResult> result;
  try {
    result = trainer_->step(step, update_options(number), number, [&] { return obey_control(); });
  } catch (const NonFiniteStep&) {
    save_checkpoint();  // the weights are those of the last finished step
    throw;
  }
  // Stopped within the window: its micro-batches are dropped, the run stands after the last finished step.
  if (!result) return false;
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  eval_loss_.reset();
  position_.step = number;
  position_.loading = {step.epoch, step.step_in_epoch + 1};
  position_.tokens += step.tokens;
  position_.label_tokens += step.label_tokens;
  report_step(step, *result, seconds.count());
  save_when_due(step.ends_epoch());
  const int64_t patience = prepared_.recipe.evaluation.early_stopping_patience;
  if (patience > 0 && position_.evaluations_without_gain >= patience) {
    end_reason_ = "early stopping";
    notice(fmt::format("Stopped early: {} evaluations in a row without a better loss; the best is of step {}.",
                       patience, best_step_.value_or(0)));
    return false;
  }
  return true;
}

void RunAtWork::report_step(const datasets::LoadedStep& step, const StepResult& result, double seconds) {
  double squares = 0;
  for (std::size_t i = 0; i < step.used; ++i) {
    for (std::size_t row = 0; row < step.micro_batches[i].used; ++row) {
      const auto length = double(step.micro_batches[i].rows[row].content.ids.size());
      squares += length * length;
    }
  }
  const double operations = prepared_.work.operations(double(step.tokens), double(step.label_tokens), squares);
  // The rate was measured for a moment before the run; on a machine that was busy then, a step may do better.
  if (prepared_.product_rate > 0) prepared_.product_rate = std::max(prepared_.product_rate, operations / seconds);
  StepEvent event{.step = position_.step,
                  .epoch = double(step.epoch) + double(step.step_in_epoch + 1) / double(step.steps_of_epoch),
                  .loss = result.loss,
                  .learning_rate = learning_rate_at(prepared_.schedule, position_.step),
                  .gradient_norm = result.gradient_norm,
                  .label_tokens = step.label_tokens,
                  .tokens = step.tokens,
                  .tokens_per_second = double(step.tokens) / seconds,
                  .peak_share = prepared_.product_rate > 0 ? operations / seconds / prepared_.product_rate : 0};
  recorder_->scalars(event.step, {{"loss", event.loss},
                                  {"learning_rate", event.learning_rate},
                                  {"gradient_norm", event.gradient_norm},
                                  {"tokens_per_second", event.tokens_per_second},
                                  {"peak_share", event.peak_share},
                                  {"tokens", double(event.tokens)},
                                  {"label_tokens", double(event.label_tokens)},
                                  {"epoch", event.epoch},
                                  {"seconds", seconds}});
  log_->add(event);
  sink_(event);
}

void RunAtWork::evaluate_now() {
  const auto result =
      evaluate(**model_, *prepared_.eval, prepared_.eval_packing, [&] { return !control_.is_stop_wanted(); });
  if (!result) return;
  EvalEvent event{.step = position_.step, .loss = result->loss};
  recorder_->scalars(position_.step, {{position_.step == 0 ? "eval_loss_before" : "eval_loss", result->loss}});
  if (position_.step > 0) {
    eval_loss_ = result->loss;
    // NaN is never better.
    if (std::isfinite(result->loss) && (!best_eval_loss_ || result->loss < *best_eval_loss_)) {
      event.is_best = true;
      best_eval_loss_ = result->loss;
      best_step_ = position_.step;
      position_.evaluations_without_gain = 0;
    } else {
      ++position_.evaluations_without_gain;
    }
  }
  tell(event);
}

void RunAtWork::save_when_due(bool ends_epoch) {
  const Recipe& recipe = prepared_.recipe;
  const auto is_due = [&](const std::optional<int64_t>& every) {
    return every ? *every > 0 && position_.step % *every == 0 : ends_epoch;
  };
  bool is_best = false;
  if (prepared_.eval && is_due(recipe.evaluation.eval_every_steps)) {
    const auto before = best_step_;
    evaluate_now();
    is_best = best_step_ != before;
  }
  const bool is_asked = control_.is_save_wanted();
  if (is_asked || is_best || is_due(recipe.checkpoint.checkpoint_every_steps)) save_checkpoint();
  if (is_asked) control_.save_is_done();
}

void RunAtWork::save_checkpoint() {
  if (position_.step == 0 || position_.step == checkpoint_step_) return;
  for (const Parameter* parameter : trained_parameters(**model_)) {
    if (!first_non_finite(parameter->value.data(), parameter->value.dtype(), parameter->elements())) continue;
    notice(fmt::format("Step {} is not saved: \"{}\" holds an infinity or NaN. The checkpoint before it stands.",
                       position_.step, parameter->name));
    return;
  }
  const CheckpointState state{position_, eval_loss_, recipe_hash(), base_fingerprint_};
  for (;;) {
    try {
      const std::filesystem::path path =
          write_checkpoint(folder_.checkpoints(), **model_, state, adapter_text_, *options_.files);
      checkpoint_step_ = position_.step;
      recorder_->artifact({.kind = "checkpoint", .step = position_.step, .path = path.string()});
      tell(CheckpointEvent{position_.step, path.string()});
      remove_old_checkpoints(folder_.checkpoints(), prepared_.recipe.checkpoint.keep_checkpoints);
      return;
    } catch (const DiskFull& full) {
      if (control_.is_stop_wanted()) throw;
      const auto until = std::chrono::steady_clock::now() + options_.disk_retry;
      wait_paused(fmt::format("{} The run waits and goes on by itself when there is room.", full.what()),
                  [&] { return std::chrono::steady_clock::now() < until; });
    }
  }
}

// ---- control ----

template <class Blocked>
void RunAtWork::wait_paused(const std::string& why, Blocked blocked) {
  recorder_->state(RunState::kPaused, why);
  notice(why);
  while (blocked() && !control_.is_stop_wanted()) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  recorder_->state(RunState::kRunning);
}

// Asked between micro-batches. False: the run is to stop.
bool RunAtWork::obey_control() {
  if (control_.is_stop_wanted()) return false;
  if (control_.is_pause_wanted()) wait_paused("Paused.", [&] { return control_.is_pause_wanted(); });
  const RecorderHealth health = recorder_->health();
  if (health.is_disk_full) wait_paused(health.trouble, [&] { return recorder_->health().is_disk_full; });
  return !control_.is_stop_wanted();
}

void RunAtWork::notice(const std::string& sentence) { tell(NoticeEvent{sentence}); }

void RunAtWork::tell(const Event& event) {
  recorder_->event({.step = position_.step, .kind = std::string(kind_of(event)), .data = event_json(event)});
  log_->add(event);
  sink_(event);
}

DoneEvent RunAtWork::finish(RunState state, const std::string& reason) {
  DoneEvent done{.steps = position_.step,
                 .best_step = best_step_,
                 .best_eval_loss = best_eval_loss_,
                 .planned_bytes = prepared_.plan.total_bytes,
                 .fixed_bytes = fixed_bytes_,
                 .peak_bytes = peak_resident_bytes(),
                 .out = folder_.path().string(),
                 .reason = reason};
  recorder_->event({.step = position_.step, .kind = "done", .data = event_json(done)});
  recorder_->state(state, reason);
  log_->add(done);
  const std::string trouble = recorder_->finish();
  if (!trouble.empty()) sink_(NoticeEvent{trouble});
  sink_(done);
  return done;
}

}  // namespace anneal::engine
