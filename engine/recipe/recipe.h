#pragma once
// The recipe: everything that a person decides about a run. A plain value, copied freely. Files, `--set`, flags, forms
// and the run's record use the same flat names; recipe_fields() states each once, with its range and help.
//
// An unset std::optional means that the person has left the choice to us; what it then comes to is said at the member
// and answered by a function below, so that nothing is written into the recipe that nobody chose. What depends on the
// model or the device (sequence length, threads, memory) is decided by the session.

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "kernels/core/fields.h"

namespace anneal::engine {

enum class Method { kFull, kLora };
enum class Precision { kAuto, kFp32, kBf16 };
enum class Optimizer { kAdamW };
enum class LrScheduler { kCosine, kLinear, kConstant, kWsd };
enum class Recompute { kAuto, kNone, kActivation, kNorm, kFeedForward, kAttention, kBlock };
enum class TrainOn { kAnswers, kLastAnswer, kEverything };
enum class TooLong { kSkip, kTrimPrompt, kCut };
enum class BadRows { kStop, kSkip };
enum class ConsecutiveTurns { kKeep, kMerge, kSkip, kStop };
enum class EmptyAnswers { kLearn, kSkip };

struct ModelOptions {
  std::string model = {};    // a Hugging Face folder, a GGUF file or a run's folder
  std::string adapter = {};  // a PEFT folder to go on from; empty: none
  Precision precision = Precision::kAuto;
};

struct DataOptions {
  std::vector<std::string> data = {};
  std::vector<std::string> eval_data = {};
  std::map<std::string, std::string> columns = {};  // what for -> the file's name: {"prompt": "question"}
  std::string chat_template = {};                   // a file, or the name of a shipped one; empty: the model's own
  TrainOn train_on = TrainOn::kAnswers;
  TooLong too_long = TooLong::kSkip;
  BadRows bad_rows = BadRows::kStop;
  ConsecutiveTurns consecutive_turns = ConsecutiveTurns::kKeep;
  EmptyAnswers empty_answers = EmptyAnswers::kLearn;
  bool move_think_markup = false;
  std::optional<int64_t> max_sequence_length = {};  // unset: 2048 or the model's context, the smaller
  bool packing = true;
};

struct MethodOptions {
  Method method = Method::kLora;
  int64_t seed = 42;
};

struct LoraOptions {
  int64_t lora_rank = 16;
  double lora_alpha = 32;
  double lora_dropout = 0;
  bool use_rslora = false;
  std::vector<std::string> target_modules = {"all-linear"};  // ends of module names
};

struct OptimizerOptions {
  Optimizer optimizer = Optimizer::kAdamW;
  std::optional<double> learning_rate = {};  // unset: see learning_rate_of
  double weight_decay = 0;
  bool decay_norms = false;
  double adam_beta1 = 0.9;
  double adam_beta2 = 0.999;
  double adam_epsilon = 1e-8;
  double max_grad_norm = 1;  // 0: none
};

struct ScheduleOptions {
  std::optional<double> num_epochs = {};  // unset: 3, where max_steps is unset too; fractions are legal
  std::optional<int64_t> max_steps = {};  // wins over num_epochs
  LrScheduler lr_scheduler = LrScheduler::kCosine;
  std::optional<int64_t> warmup_steps = {};  // wins over warmup_ratio
  std::optional<double> warmup_ratio = {};   // unset: 0.03, where warmup_steps is unset too
};

struct BatchOptions {
  int64_t per_device_batch_size = 1;  // rows of max_sequence_length when packed
  int64_t gradient_accumulation_steps = 4;
};

struct MemoryOptions {
  Recompute recompute = Recompute::kAuto;
  std::optional<double> memory_limit_gb = {};  // 10^9 bytes; unset: what is free
};

struct EvaluationOptions {
  double eval_fraction = 0;                      // of the rows, set aside where eval_data is empty
  std::optional<int64_t> eval_every_steps = {};  // unset: at the end of each epoch
  int64_t early_stopping_patience = 0;           // evaluations in a row without a better loss; 0: never
};

struct CheckpointOptions {
  std::string out = {};                                // the run's folder
  std::optional<int64_t> checkpoint_every_steps = {};  // unset: at the end of each epoch
  int64_t keep_checkpoints = 2;                        // beside best and last, which always stay
};

struct DeviceOptions {
  std::string device = "auto";          // auto, cpu, cuda, cuda:0,1
  std::optional<int64_t> threads = {};  // unset: all cores, one fewer beside a window
};

struct Recipe {
  ModelOptions model = {};
  DataOptions data = {};
  MethodOptions method = {};
  LoraOptions lora = {};
  OptimizerOptions optimizer = {};
  ScheduleOptions schedule = {};
  BatchOptions batch = {};
  MemoryOptions memory = {};
  EvaluationOptions evaluation = {};
  CheckpointOptions checkpoint = {};
  DeviceOptions device = {};
};

inline constexpr const char* kLoraGroup = "LoRA";  // heading of the settings that only lora reads

const FieldList<Recipe>& recipe_fields();

// What unset values come to, as far as the recipe alone tells.
double learning_rate_of(const Recipe& recipe);              // 2e-4 for lora, 2e-5 for full
std::optional<double> num_epochs_of(const Recipe& recipe);  // empty: max_steps counts
// A step covers all rows of the last, partial window too, and an epoch ends with a step: ceil(epochs *
// steps_per_epoch).
int64_t total_steps_of(const Recipe& recipe, int64_t steps_per_epoch);
bool has_evaluation(const Recipe& recipe);

// Two recipes that would be read from their files alike.
bool operator==(const Recipe& a, const Recipe& b);

// Every path of the recipe made absolute, so that a queue or a resumed run finds its files from any working folder.
Recipe with_absolute_paths(Recipe recipe, const std::filesystem::path& base);

}  // namespace anneal::engine

namespace anneal {
template <>
struct ChoiceOf<engine::Method> {
  static constexpr Choice<engine::Method> list[] = {{engine::Method::kFull, "full"}, {engine::Method::kLora, "lora"}};
};
template <>
struct ChoiceOf<engine::Precision> {
  static constexpr Choice<engine::Precision> list[] = {
      {engine::Precision::kAuto, "auto"}, {engine::Precision::kFp32, "fp32"}, {engine::Precision::kBf16, "bf16"}};
};
template <>
struct ChoiceOf<engine::Optimizer> {
  static constexpr Choice<engine::Optimizer> list[] = {{engine::Optimizer::kAdamW, "adamw"}};
};
template <>
struct ChoiceOf<engine::LrScheduler> {
  static constexpr Choice<engine::LrScheduler> list[] = {{engine::LrScheduler::kCosine, "cosine"},
                                                         {engine::LrScheduler::kLinear, "linear"},
                                                         {engine::LrScheduler::kConstant, "constant"},
                                                         {engine::LrScheduler::kWsd, "wsd"}};
};
template <>
struct ChoiceOf<engine::Recompute> {
  static constexpr Choice<engine::Recompute> list[] = {{engine::Recompute::kAuto, "auto"},
                                                       {engine::Recompute::kNone, "none"},
                                                       {engine::Recompute::kActivation, "activation"},
                                                       {engine::Recompute::kNorm, "norm"},
                                                       {engine::Recompute::kFeedForward, "feed_forward"},
                                                       {engine::Recompute::kAttention, "attention"},
                                                       {engine::Recompute::kBlock, "block"}};
};
template <>
struct ChoiceOf<engine::TrainOn> {
  static constexpr Choice<engine::TrainOn> list[] = {{engine::TrainOn::kAnswers, "answers"},
                                                     {engine::TrainOn::kLastAnswer, "last_answer"},
                                                     {engine::TrainOn::kEverything, "everything"}};
};
template <>
struct ChoiceOf<engine::BadRows> {
  static constexpr Choice<engine::BadRows> list[] = {{engine::BadRows::kStop, "stop"},
                                                     {engine::BadRows::kSkip, "skip"}};
};
template <>
struct ChoiceOf<engine::ConsecutiveTurns> {
  static constexpr Choice<engine::ConsecutiveTurns> list[] = {{engine::ConsecutiveTurns::kKeep, "keep"},
                                                              {engine::ConsecutiveTurns::kMerge, "merge"},
                                                              {engine::ConsecutiveTurns::kSkip, "skip"},
                                                              {engine::ConsecutiveTurns::kStop, "stop"}};
};
template <>
struct ChoiceOf<engine::EmptyAnswers> {
  static constexpr Choice<engine::EmptyAnswers> list[] = {{engine::EmptyAnswers::kLearn, "learn"},
                                                          {engine::EmptyAnswers::kSkip, "skip"}};
};
template <>
struct ChoiceOf<engine::TooLong> {
  static constexpr Choice<engine::TooLong> list[] = {
      {engine::TooLong::kSkip, "skip"}, {engine::TooLong::kTrimPrompt, "trim_prompt"}, {engine::TooLong::kCut, "cut"}};
};
}  // namespace anneal
