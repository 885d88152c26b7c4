// Every setting of a recipe, stated once: name, range, help. One function per part; the window shows each part under
// its heading. Names that people know from PEFT and transformers keep their name; those that this version does not have
// are listed as `later`, so that they are refused by name.
#include "engine/recipe/recipe.h"

namespace anneal::engine {
namespace {

FieldList<ModelOptions> model_fields() {
  FieldList<ModelOptions> fields;
  fields.add({.name = "model",
              .help = "The model to start from: a Hugging Face folder, a GGUF file or a run's folder.",
              .is_path = true},
             &ModelOptions::model);
  fields.add({.name = "adapter", .help = "A PEFT adapter folder to go on from.", .unset = "none", .is_path = true},
             &ModelOptions::adapter);
  fields.add({.name = "precision",
              .help = "Number format of the large products. auto takes bf16 where the device computes it fast.",
              .later_choices = {"fp16", "fp8"}},
             &ModelOptions::precision);
  fields.later({"allow_tf32", "fp8_scaling"});
  return fields;
}

FieldList<DataOptions> data_fields() {
  FieldList<DataOptions> fields;
  fields.add(
      {.name = "data", .help = "Files or folders to learn from. The flag may be given several times.", .is_path = true},
      &DataOptions::data);
  fields.add({.name = "eval_data",
              .help = "Files or folders to measure on; they are never learned.",
              .unset = "none",
              .is_path = true},
             &DataOptions::eval_data);
  fields.add({.name = "columns",
              .help = "Which column is what, where the file's names do not say it: prompt=question,completion=answer.",
              .unset = "as the file says"},
             &DataOptions::columns);
  fields.add({.name = "chat_template",
              .help = "The template that turns conversations into text: a file, or the name of a "
                      "shipped one.",
              .unset = "the model's own"},
             &DataOptions::chat_template);
  fields.add({.name = "train_on", .help = "Which part of a conversation is learned."}, &DataOptions::train_on);
  fields.add({.name = "too_long",
              .help = "What happens to a row longer than max_sequence_length: skip leaves it out and "
                      "counts it, trim_prompt cuts the prompt from the left, cut cuts the end."},
             &DataOptions::too_long);
  fields.add({.name = "bad_rows",
              .help = "What happens to lines that cannot be read: stop names the first of each file, skip leaves them "
                      "out and counts them."},
             &DataOptions::bad_rows);
  fields.add({.name = "consecutive_turns",
              .help = "What happens to two turns of one speaker in a row: keep gives them to the template as they are, "
                      "merge makes them one, skip leaves the row out, stop names the row."},
             &DataOptions::consecutive_turns);
  fields.add(
      {.name = "empty_answers",
       .help = "What happens to answers without text: learn teaches to end the turn at once, skip does not learn "
               "them."},
      &DataOptions::empty_answers);
  fields.add({.name = "move_think_markup",
              .help = "Move what an answer holds up to </think> into the message's reasoning, so that templates that "
                      "write it themselves write it once."},
             &DataOptions::move_think_markup);
  fields.add({.name = "max_sequence_length",
              .help = "Longest row in tokens. Memory and time grow with it.",
              .range = {.least = 2, .most = 16777216},
              .unset = "2048 or the model's context, the smaller"},
             &DataOptions::max_sequence_length);
  fields.add({.name = "packing",
              .help = "Fill each row of a batch with several whole texts that do not see each other. "
                      "Several times faster than padding, with the same result."},
             &DataOptions::packing);
  fields.later({"added_tokens", "train_only_new_rows"});
  return fields;
}

FieldList<MethodOptions> method_fields() {
  FieldList<MethodOptions> fields;
  fields.add({.name = "method",
              .help = "What is learned: small matrices beside the frozen weights (lora), or all weights "
                      "(full), which takes about four times the memory.",
              .later_choices = {"qlora", "dpo"}},
             &MethodOptions::method);
  fields.add({.name = "seed",
              .help = "Decides adapter start, order of the rows and dropout. Same seed, same run.",
              .range = {.least = 0}},
             &MethodOptions::seed);
  return fields;
}

FieldList<LoraOptions> lora_fields() {
  FieldList<LoraOptions> fields;
  fields.add({.name = "lora_rank",
              .help = "Width of the adapters (PEFT's r). More learns more and takes more memory.",
              .range = {.least = 1, .most = 65536}},
             &LoraOptions::lora_rank);
  fields.add({.name = "lora_alpha",
              .help = "Strength of the adapters: they are scaled by lora_alpha / lora_rank.",
              .range = {.above = 0, .below = 1e6}},
             &LoraOptions::lora_alpha);
  fields.add({.name = "lora_dropout",
              .help = "Share of the adapters' inputs that is dropped at random while learning.",
              .range = {.least = 0, .below = 1}},
             &LoraOptions::lora_dropout);
  fields.add({.name = "use_rslora", .help = "Scale by lora_alpha / sqrt(lora_rank): steadier at large ranks."},
             &LoraOptions::use_rslora);
  fields.add({.name = "target_modules",
              .help = "Which projections get an adapter, by the ends of their names "
                      "(q_proj,v_proj). all-linear: each one but the output layer."},
             &LoraOptions::target_modules);
  fields.later({"use_dora", "rank_pattern", "alpha_pattern", "modules_to_save", "quantize_base"});
  return fields;
}

FieldList<OptimizerOptions> optimizer_fields() {
  FieldList<OptimizerOptions> fields;
  fields.add({.name = "optimizer", .help = "How gradients become steps."}, &OptimizerOptions::optimizer);
  fields.add({.name = "learning_rate",
              .help = "Size of a step at the peak of the schedule. Too large and the loss jumps or "
                      "becomes NaN; too small and nothing is learned.",
              .range = {.least = 0, .most = 1e30},
              .unset = "2e-4 for lora, 2e-5 for full"},
             &OptimizerOptions::learning_rate);
  fields.add({.name = "weight_decay",
              .help = "Pull of the weights towards 0, per step and learning rate (AdamW).",
              .range = {.least = 0, .most = 10}},
             &OptimizerOptions::weight_decay);
  fields.add(
      {.name = "decay_norms", .help = "Apply weight_decay to norms and biases too; transformers' Trainer does not."},
      &OptimizerOptions::decay_norms);
  fields.add({.name = "adam_beta1",
              .help = "How long the mean of the gradients remembers.",
              .range = {.least = 0, .below = 1}},
             &OptimizerOptions::adam_beta1);
  fields.add({.name = "adam_beta2",
              .help = "How long the mean of their squares remembers.",
              .range = {.least = 0, .below = 1}},
             &OptimizerOptions::adam_beta2);
  fields.add({.name = "adam_epsilon",
              .help = "Added to the root of the squares, against division by 0.",
              .range = {.least = 0, .most = 1}},
             &OptimizerOptions::adam_epsilon);
  fields.add({.name = "max_grad_norm",
              .help = "Gradients longer than this are scaled down to it. 0: never.",
              .range = {.least = 0, .most = 1e30}},
             &OptimizerOptions::max_grad_norm);
  fields.later({"optimizer_states", "master_weights"});
  return fields;
}

FieldList<ScheduleOptions> schedule_fields() {
  FieldList<ScheduleOptions> fields;
  fields.add({.name = "num_epochs",
              .help = "How often all rows are learned; a fraction ends within an epoch.",
              .range = {.above = 0, .most = 1e6},
              .unset = "3, unless max_steps is given"},
             &ScheduleOptions::num_epochs);
  fields.add({.name = "max_steps",
              .help = "Stop after this many optimizer steps, whatever num_epochs says.",
              .range = {.least = 1, .most = 1e12},
              .unset = "as num_epochs says"},
             &ScheduleOptions::max_steps);
  fields.add({.name = "lr_scheduler",
              .help = "How the learning rate goes from its peak towards 0: along half a cosine, a "
                      "line, not at all, or level and then down in the last fifth (wsd)."},
             &ScheduleOptions::lr_scheduler);
  fields.add({.name = "warmup_steps",
              .help = "Steps in which the learning rate rises from 0 to its peak; wins over "
                      "warmup_ratio.",
              .range = {.least = 0, .most = 1e12},
              .unset = "as warmup_ratio says"},
             &ScheduleOptions::warmup_steps);
  fields.add({.name = "warmup_ratio",
              .help = "The same as a share of all steps.",
              .range = {.least = 0, .most = 1},
              .unset = "0.03, unless warmup_steps is given"},
             &ScheduleOptions::warmup_ratio);
  return fields;
}

FieldList<BatchOptions> batch_fields() {
  FieldList<BatchOptions> fields;
  fields.add({.name = "per_device_batch_size",
              .help = "Rows that a device takes at once; with packing, rows of "
                      "max_sequence_length tokens. Memory grows with it.",
              .range = {.least = 1, .most = 65536}},
             &BatchOptions::per_device_batch_size);
  fields.add({.name = "gradient_accumulation_steps",
              .help = "Batches that make one optimizer step. Costs no memory.",
              .range = {.least = 1, .most = 1048576}},
             &BatchOptions::gradient_accumulation_steps);
  return fields;
}

FieldList<MemoryOptions> memory_fields() {
  FieldList<MemoryOptions> fields;
  fields.add({.name = "recompute",
              .help = "What is computed again in the backward pass and not kept, from least to most. "
                      "auto takes as little as fits."},
             &MemoryOptions::recompute);
  fields.add({.name = "memory_limit_gb",
              .help = "Memory that the run may take, in 10^9 bytes.",
              .range = {.above = 0, .most = 1e6},
              .unset = "what is free"},
             &MemoryOptions::memory_limit_gb);
  fields.later({"offload", "shard_stage"});
  return fields;
}

FieldList<EvaluationOptions> evaluation_fields() {
  FieldList<EvaluationOptions> fields;
  fields.add({.name = "eval_fraction",
              .help = "Share of the rows that is set aside and measured on, where eval_data is not "
                      "given.",
              .range = {.least = 0, .below = 1}},
             &EvaluationOptions::eval_fraction);
  fields.add({.name = "eval_every_steps",
              .help = "Measure each time after this many steps, and at the end.",
              .range = {.least = 1, .most = 1e12},
              .unset = "at the end of each epoch"},
             &EvaluationOptions::eval_every_steps);
  fields.add({.name = "early_stopping_patience",
              .help = "Stop after this many evaluations in a row without a better loss. "
                      "0: never.",
              .range = {.least = 0, .most = 1e6}},
             &EvaluationOptions::early_stopping_patience);
  return fields;
}

FieldList<CheckpointOptions> checkpoint_fields() {
  FieldList<CheckpointOptions> fields;
  fields.add({.name = "out", .help = "The folder of the run: checkpoints, history, the result.", .is_path = true},
             &CheckpointOptions::out);
  fields.add({.name = "checkpoint_every_steps",
              .help = "Save each time after this many steps, and at the end.",
              .range = {.least = 1, .most = 1e12},
              .unset = "at the end of each epoch"},
             &CheckpointOptions::checkpoint_every_steps);
  fields.add({.name = "keep_checkpoints",
              .help = "Checkpoints kept beside the best and the last, which always stay.",
              .range = {.least = 0, .most = 1e6}},
             &CheckpointOptions::keep_checkpoints);
  return fields;
}

FieldList<DeviceOptions> device_fields() {
  FieldList<DeviceOptions> fields;
  fields.add({.name = "device", .help = "Where to compute: auto, cpu, cuda, or cards by number: cuda:0,1."},
             &DeviceOptions::device);
  fields.add({.name = "threads",
              .help = "Processor threads. The same number gives the same result bit for bit.",
              .range = {.least = 1, .most = 4096},
              .unset = "all cores; one fewer beside a window"},
             &DeviceOptions::threads);
  return fields;
}

}  // namespace

const FieldList<Recipe>& recipe_fields() {
  static const FieldList<Recipe> list = [] {
    FieldList<Recipe> fields;
    fields.include("Model", &Recipe::model, model_fields());
    fields.include("Data", &Recipe::data, data_fields());
    fields.include("Method", &Recipe::method, method_fields());
    fields.include(kLoraGroup, &Recipe::lora, lora_fields());
    fields.include("Optimizer", &Recipe::optimizer, optimizer_fields());
    fields.include("Schedule", &Recipe::schedule, schedule_fields());
    fields.include("Batch", &Recipe::batch, batch_fields());
    fields.include("Memory", &Recipe::memory, memory_fields());
    fields.include("Evaluation", &Recipe::evaluation, evaluation_fields());
    fields.include("Checkpoints", &Recipe::checkpoint, checkpoint_fields());
    fields.include("Device", &Recipe::device, device_fields());
    return fields;
  }();
  return list;
}

}  // namespace anneal::engine
