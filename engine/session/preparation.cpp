#include "engine/session/preparation.h"

#include <algorithm>
#include <cmath>

#include "datasets/loading/loader.h"
#include "engine/recipe/checks.h"
#include "engine/session/compute_device.h"
#include "engine/session/memory_fit.h"
#include "engine/session/memory_use.h"
#include "engine/session/product_rate.h"
#include "kernels/core/philox.h"
#include "kernels/cpu/cpu.h"

namespace anneal::engine {
namespace {

// One run's preparation, in the order in which things become known.
class Preparer {
 public:
  Preparer(Recipe recipe, const PreparationOptions& options, const EventSink& sink) : options_(options), sink_(sink) {
    done_.recipe = std::move(recipe);
  }

  Preparation run() {
    const CheckFor purpose = options_.checks_out ? CheckFor::kTraining : CheckFor::kPlan;
    const bool is_recipe_sound = collect([&] { throw_problems(check(done_.recipe, purpose)); });
    for (const Notice& notice : notices(done_.recipe)) fact(to_sentence(notice));
    const bool has_model = !done_.recipe.model.model.empty() && collect([&] { read_model(); });
    if (is_recipe_sound && has_model) {
      collect([&] { choose_method(); });
      if (collect([&] { choose_device(); })) prepare_rows();
    } else {
      look_at_data();
    }
    throw_problems(std::move(problems_));
    plan_steps();
    plan_memory();
    describe();
    return std::move(done_);
  }

 private:
  void fact(std::string sentence) { done_.event.facts.push_back(std::move(sentence)); }
  // What the person can mend is kept until all of it is known. False: something was found.
  template <class Work>
  bool collect(const Work& work) {
    try {
      work();
      return true;
    } catch (const ProblemError& error) {
      for (const Problem& problem : error.problems()) add_problem(problem);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::kInput) throw;
      add_problem({"", error.what(), ""});
    }
    return false;
  }
  void add_problem(const Problem& problem) {
    if (std::find(problems_.begin(), problems_.end(), problem) == problems_.end()) problems_.push_back(problem);
  }
  static void throw_problems(std::vector<Problem> problems) {
    if (!problems.empty()) throw ProblemError(std::move(problems));
  }

  // Long work: shown now and then, and left when the person stops it.
  void report(const std::string& what, int64_t rows);
  void leave_if_stopped() const {
    if (options_.is_stop_wanted && options_.is_stop_wanted()) throw PreparationStopped();
  }
  void read_model();
  void look_at_data();
  void choose_method();
  void choose_device();
  void prepare_rows();
  PreparedData read_rows(const std::vector<std::string>& paths);
  void prepare_train_rows();
  void prepare_eval_rows();
  void split_off_evaluation(double fraction);
  void plan_steps();
  int64_t tokens_of(int64_t batch_rows) const;
  std::vector<MicroBatchChoice> micro_batch_choices() const;
  void plan_memory();
  void describe();
  StepWork step_work() const;

  PreparationOptions options_;
  const EventSink& sink_;
  Preparation done_;
  std::filesystem::path train_cache_;
  std::vector<Problem> problems_;
};

void Preparer::read_model() {
  done_.description = read_model_folder(done_.recipe.model.model);
  for (const std::string& notice : done_.description.notices) fact(notice);
}

// Without a model or a sound recipe the rows are read, not encoded: what is wrong with them is said in the same breath.
void Preparer::look_at_data() {
  const DataOptions& data = done_.recipe.data;
  for (const std::vector<std::string>* paths : {&data.data, &data.eval_data}) {
    if (paths->empty()) continue;
    collect([&] {
      int64_t rows = 0;
      datasets::for_each_row(*paths, reading_options(data),
                             [&](datasets::Row&&) { report("Reading the data", ++rows); });
    });
  }
}

void Preparer::choose_method() {
  const Recipe& recipe = done_.recipe;
  const Architecture& architecture = done_.description.architecture;
  TrainingPlan& plan = done_.build.training;
  plan.is_training = true;
  done_.learning_rate = learning_rate_of(recipe);
  if (recipe.method.method == Method::kFull) {
    plan.trains_weights = true;
    return;
  }
  if (!recipe.model.adapter.empty()) {
    done_.adapter = read_adapter_config(recipe.model.adapter);
    done_.adapter.options.dropout = recipe.lora.lora_dropout;
    fact(fmt::format("Going on from the adapter {}: its rank, alpha and modules are kept.", recipe.model.adapter));
  } else {
    AdapterOptions& adapter = done_.adapter.options;
    adapter.rank = recipe.lora.lora_rank;
    adapter.alpha = recipe.lora.lora_alpha;
    adapter.dropout = recipe.lora.lora_dropout;
    adapter.use_rslora = recipe.lora.use_rslora;
    adapter.targets = recipe.lora.target_modules;
  }
  std::vector<std::string>& targets = done_.adapter.options.targets;
  const std::vector<std::string> linear = linear_module_names(architecture);
  if (targets.empty() || (targets.size() == 1 && targets[0] == "all-linear")) targets = linear;
  std::vector<Problem> problems;
  for (const std::string& target : targets) {
    const std::string last = target.substr(target.rfind('.') + 1);
    if (std::find(linear.begin(), linear.end(), last) != linear.end()) continue;
    std::string known;
    for (const std::string& name : linear) known += (known.empty() ? "" : ", ") + name;
    problems.push_back({"target_modules", fmt::format("this model has no linear module \"{}\"", printable(target)),
                        "Use some of: " + known + "."});
  }
  throw_problems(std::move(problems));
  done_.adapter.base_model = recipe.model.model;
  plan.lora = done_.adapter.options;
  if (plan.lora.rank > architecture.hidden_size) {
    fact(fmt::format("lora_rank {} is above the model's width of {}: legal, but a full matrix would be smaller.",
                     plan.lora.rank, architecture.hidden_size));
  }
}

void Preparer::choose_device() {
  done_.backend = make_backend(done_.recipe.device);
  const Precision precision = done_.recipe.model.precision;
  done_.build.types = compute_types(precision);
  const CpuFacts cpu = cpu_facts();
  if (precision == Precision::kBf16 && !cpu.has_bf16_products) {
    fact(fmt::format(
        "Precision bf16 on a processor without BF16 products ({}): values are rounded to BF16, products are "
        "FP32; slower than fp32 and only of use to see what BF16 does to a run.",
        cpu.instruction_set));
  }
  if (precision == Precision::kAuto)
    fact(fmt::format("Precision {}: the best of this processor ({}).", done_.build.types.name, cpu.instruction_set));
}

void Preparer::report(const std::string& what, int64_t rows) {
  constexpr int64_t kRowsBetween = 1000;
  if (rows % kRowsBetween != 0) return;
  leave_if_stopped();
  sink_(ProgressEvent{what, rows, 0});
}

void Preparer::prepare_rows() {
  const Recipe& recipe = done_.recipe;
  const bool is_encoder_made = collect([&] {
    done_.encoding = make_row_encoding(done_.description.folder, done_.description.architecture, recipe.data);
  });
  if (!is_encoder_made) {
    look_at_data();
    return;
  }
  for (const std::string& sentence : done_.encoding.facts) fact(sentence);
  done_.packing.row_length = done_.encoding.max_sequence_length;
  collect([&] { prepare_train_rows(); });
  collect([&] { prepare_eval_rows(); });
}

PreparedData Preparer::read_rows(const std::vector<std::string>& paths) {
  return prepare_data(paths, reading_options(done_.recipe.data), *done_.encoding.encoder,
                      options_.home / "cache" / "tokens", done_.backend->threads(),
                      [this](const std::string& what, int64_t rows) { report(what, rows); });
}

void Preparer::prepare_train_rows() {
  PreparedData train = read_rows(done_.recipe.data.data);
  const DataFacts& facts = train.facts;
  fact(fmt::format("Data: {} rows ({}), {} of them to learn from, {} tokens, {} label tokens, the longest {}.",
                   facts.rows, facts.format, facts.encoded, facts.tokens, facts.label_tokens, facts.longest));
  for (const std::string& sentence : facts.sentences) fact(sentence);
  done_.data_key = train.key;
  train_cache_ = train.path;
  done_.train = std::move(train.cache);
}

void Preparer::prepare_eval_rows() {
  const Recipe& recipe = done_.recipe;
  if (!recipe.data.eval_data.empty()) {
    PreparedData eval = read_rows(recipe.data.eval_data);
    fact(fmt::format("Evaluation data: {} rows ({}), {} label tokens.", eval.facts.rows, eval.facts.format,
                     eval.facts.label_tokens));
    done_.data_key += eval.key;
    done_.eval = std::move(eval.cache);
  } else if (recipe.evaluation.eval_fraction > 0 && done_.train) {
    done_.eval = datasets::TokenCache::open(train_cache_, done_.data_key);  // the same rows, a part of each
    ensure(done_.eval.has_value(), "a token cache vanished while it was open");
    split_off_evaluation(recipe.evaluation.eval_fraction);
  }
}

// Rows set aside for evaluation: a pure function of seed and number of rows.
void Preparer::split_off_evaluation(double fraction) {
  const int64_t rows = done_.train->rows();
  const auto wanted = std::clamp<int64_t>(static_cast<int64_t>(std::llround(double(rows) * fraction)), 1, rows);
  if (wanted >= rows) {
    throw_problems(
        {{"eval_fraction", fmt::format("nothing is left to train on: {} of {} rows would be set aside", wanted, rows),
          "Give more data or eval_data."}});
  }
  std::vector<int64_t> order(static_cast<std::size_t>(rows));
  for (int64_t row = 0; row < rows; ++row) order[static_cast<std::size_t>(row)] = row;
  RandomStream random(static_cast<uint64_t>(done_.recipe.method.seed), RandomUse::kSplit);
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.next_below(i)]);
  std::vector<int64_t> aside(order.begin(), order.begin() + wanted);
  std::vector<int64_t> kept(order.begin() + wanted, order.end());
  std::sort(aside.begin(), aside.end());
  std::sort(kept.begin(), kept.end());
  done_.eval->select(aside);
  done_.train->select(kept);
  fact(fmt::format("{} rows are set aside for evaluation.", wanted));
}

void Preparer::plan_steps() {
  const Recipe& recipe = done_.recipe;
  done_.packing.packing = recipe.data.packing;
  done_.packing.batch_rows = recipe.batch.per_device_batch_size;
  done_.packing.seed = static_cast<uint64_t>(recipe.method.seed);
  done_.eval_packing = done_.packing;
  done_.eval_packing.shuffles = false;
  done_.accumulation = recipe.batch.gradient_accumulation_steps;
  const auto steps_of = [&](int64_t epoch) {
    return datasets::Loader::steps_of_epoch(*done_.train, done_.packing, done_.accumulation, epoch);
  };
  if (const auto epochs = num_epochs_of(recipe)) {
    // Packing differs a little from epoch to epoch, so whole epochs are counted one by one.
    constexpr int64_t kCounted = 64;
    const double whole = std::floor(*epochs);
    for (int64_t epoch = 0; epoch < std::min<int64_t>(static_cast<int64_t>(whole), kCounted); ++epoch) {
      leave_if_stopped();
      done_.total_steps += steps_of(epoch);
    }
    if (whole > kCounted) done_.total_steps += (static_cast<int64_t>(whole) - kCounted) * steps_of(kCounted);
    done_.total_steps +=
        static_cast<int64_t>(std::ceil((*epochs - whole) * double(steps_of(static_cast<int64_t>(whole)))));
  } else {
    done_.total_steps = *recipe.schedule.max_steps;
  }
  const double epochs = double(done_.total_steps) / double(std::max<int64_t>(1, steps_of(0)));
  if (epochs > 100) {
    fact(fmt::format("{} steps are {:.0f} passes over {} rows: legal, but the model will know them by heart.",
                     done_.total_steps, epochs, done_.train->rows()));
  }
  done_.schedule = schedule_of(recipe, done_.total_steps);
  done_.schedule.peak = done_.learning_rate;
}

int64_t Preparer::tokens_of(int64_t batch_rows) const {
  const auto need = [&](const datasets::TokenCache& cache) {
    const int64_t longest = cache.longest();
    const int64_t row = done_.packing.packing ? done_.packing.row_length : longest;
    return std::min(batch_rows * row, std::max(cache.total_tokens(), longest));
  };
  return std::max(need(*done_.train), done_.eval ? need(*done_.eval) : 0);
}

// The recipe's own first, then those that cut its micro-batch into equal parts.
std::vector<MicroBatchChoice> Preparer::micro_batch_choices() const {
  const BatchOptions& batch = done_.recipe.batch;
  std::vector<MicroBatchChoice> choices;
  for (int64_t rows = batch.per_device_batch_size; rows >= 1; --rows) {
    if (batch.per_device_batch_size % rows != 0) continue;
    const int64_t parts = batch.per_device_batch_size / rows;
    choices.push_back({rows, batch.gradient_accumulation_steps * parts, tokens_of(rows)});
    if (!options_.may_cut_steps) break;
  }
  return choices;
}

void Preparer::plan_memory() {
  done_.build.max_length = std::max(done_.train->longest(), done_.eval ? done_.eval->longest() : 0);
  done_.build.seed = static_cast<uint64_t>(done_.recipe.method.seed);
  const MemoryFit fit =
      fit_memory(done_.description.architecture, done_.build, *done_.backend, done_.recipe, micro_batch_choices());
  done_.build.recompute = fit.recompute;
  done_.build.max_tokens = fit.micro_batch.max_tokens;
  // The recipe is kept as it is run, so that a run that goes on is cut in the same way.
  done_.recipe.batch.per_device_batch_size = fit.micro_batch.rows;
  done_.recipe.batch.gradient_accumulation_steps = fit.micro_batch.accumulation;
  done_.packing.batch_rows = done_.eval_packing.batch_rows = fit.micro_batch.rows;
  done_.accumulation = fit.micro_batch.accumulation;
  done_.plan = fit.plan;
  done_.event.verdict = fit.verdict;
  done_.event.device_free = fit.available;
  if (!fit.sentence.empty()) fact(fit.sentence);
  done_.event.problems = fit.problems;
}

StepWork Preparer::step_work() const {
  const Architecture& a = done_.description.architecture;
  const double block = double(a.layers) * (double(a.hidden_size) * double(2 * a.query_columns() + 2 * a.key_columns()) +
                                           3.0 * double(a.hidden_size) * double(a.intermediate_size));
  const double head = double(a.vocab_size) * double(a.hidden_size);
  const bool is_full = done_.build.training.trains_weights;
  double adapters = 0;
  if (!is_full) {
    const double r = double(done_.adapter.options.rank);
    const auto adds = [&](const std::string& module, double in, double out) {
      if (done_.adapter.options.targets_module(module)) adapters += double(a.layers) * r * (in + out);
    };
    const LayerNames& names = a.names.layer;
    adds(names.q_proj, double(a.hidden_size), double(a.query_columns()));
    adds(names.k_proj, double(a.hidden_size), double(a.key_columns()));
    adds(names.v_proj, double(a.hidden_size), double(a.key_columns()));
    adds(names.o_proj, double(a.query_columns()), double(a.hidden_size));
    adds(names.gate_proj, double(a.hidden_size), double(a.intermediate_size));
    adds(names.up_proj, double(a.hidden_size), double(a.intermediate_size));
    adds(names.down_proj, double(a.intermediate_size), double(a.hidden_size));
  }
  return {.per_token = (is_full ? 6 : 4) * block + 6 * adapters,
          .per_label_token = (is_full ? 6 : 4) * head,
          .per_squared_length = 6.0 * double(a.layers) * double(a.query_columns())};
}

void Preparer::describe() {
  PlanEvent& event = done_.event;
  event.bytes = {done_.plan.bytes.begin(), done_.plan.bytes.end()};
  event.bytes["program"] = program_bytes();
  event.total_bytes = done_.plan.total_bytes + event.bytes["program"];
  event.steps = done_.total_steps;
  event.device = done_.backend->description();
  event.precision = done_.build.types.name;
  event.recompute = name_of(done_.build.recompute);
  const double steps_an_epoch =
      double(datasets::Loader::steps_of_epoch(*done_.train, done_.packing, done_.accumulation, 0));
  double squares = 0;
  for (int64_t row = 0; row < done_.train->rows(); ++row)
    squares += double(done_.train->length(row)) * double(done_.train->length(row));
  done_.work = step_work();
  event.flops_per_step =
      done_.work.operations(double(done_.train->total_tokens()), double(done_.train->total_labels()), squares) /
      steps_an_epoch;
  if (options_.measures) {
    done_.product_rate = measure_product_rate(*done_.backend);
    // Products take about two thirds of a step; the rest is memory-bound.
    constexpr double kShareOfProducts = 0.6;
    event.seconds = event.flops_per_step * double(event.steps) / (done_.product_rate * kShareOfProducts);
  }
  event.disk_bytes = planned_disk_bytes(done_.plan.trained_elements, done_.recipe);
}

}  // namespace

Preparation prepare(Recipe recipe, const PreparationOptions& options, const EventSink& sink) {
  return Preparer(std::move(recipe), options, sink).run();
}

}  // namespace anneal::engine
