#include "engine/session/memory_fit.h"

#include <algorithm>

#include "engine/session/event_text.h"
#include "engine/session/memory_use.h"
#include "engine/training/checkpoint.h"

namespace anneal::engine {
namespace {

std::vector<Rung> rungs_to_try(Recompute choice) {
  switch (choice) {
    case Recompute::kAuto:
      return {Rung::kNone, Rung::kActivation, Rung::kNorm, Rung::kFeedForward, Rung::kAttention, Rung::kBlock};
    case Recompute::kNone:
      return {Rung::kNone};
    case Recompute::kActivation:
      return {Rung::kActivation};
    case Recompute::kNorm:
      return {Rung::kNorm};
    case Recompute::kFeedForward:
      return {Rung::kFeedForward};
    case Recompute::kAttention:
      return {Rung::kAttention};
    case Recompute::kBlock:
      return {Rung::kBlock};
  }
  throw InternalError("internal fault: unknown recompute");
}

Problem too_large(const ModelPlan& plan, int64_t program, int64_t available, bool is_limited) {
  const auto largest = std::max_element(plan.bytes.begin(), plan.bytes.end(),
                                        [](const auto& a, const auto& b) { return a.second < b.second; });
  return {
      is_limited ? "memory_limit_gb" : "memory",
      fmt::format("{} needed, {} {}; the largest part: {}, {}", bytes_text(plan.total_bytes + program),
                  bytes_text(available), is_limited ? "allowed" : "free", largest->first, bytes_text(largest->second)),
      "Set a smaller per_device_batch_size or max_sequence_length, or recompute to block."};
}

struct Attempt {
  MicroBatchChoice micro_batch;
  Rung rung = Rung::kNone;
};

// In the order of what they cost.
std::vector<Attempt> attempts(Recompute choice, const std::vector<MicroBatchChoice>& micro_batches) {
  constexpr int64_t kEfficientTokens = 1024;
  std::vector<MicroBatchChoice> efficient{micro_batches.front()};
  std::vector<MicroBatchChoice> small;
  for (std::size_t i = 1; i < micro_batches.size(); ++i)
    (micro_batches[i].max_tokens >= kEfficientTokens ? efficient : small).push_back(micro_batches[i]);
  const std::vector<Rung> rungs = rungs_to_try(choice);
  std::vector<Attempt> list;
  for (const MicroBatchChoice& micro_batch : efficient) list.push_back({micro_batch, rungs.front()});
  for (std::size_t i = 1; i < rungs.size(); ++i) list.push_back({efficient.back(), rungs[i]});
  for (const MicroBatchChoice& micro_batch : small) list.push_back({micro_batch, rungs.back()});
  return list;
}

std::string sentence_of(const MemoryFit& fit, const Recipe& recipe, const MicroBatchChoice& wanted) {
  std::string changes;
  if (fit.micro_batch.rows != wanted.rows) {
    changes = fmt::format("{} × {} rows a step are computed as {} × {}", wanted.accumulation, wanted.rows,
                          fit.micro_batch.accumulation, fit.micro_batch.rows);
  }
  if (recipe.memory.recompute == Recompute::kAuto && fit.recompute != Rung::kNone) {
    changes += fmt::format("{}recomputation \"{}\" is on", changes.empty() ? "" : ", and ", name_of(fit.recompute));
  }
  if (changes.empty()) return {};
  return fmt::format("So that the run fits into {}: {}.", bytes_text(fit.available), changes);
}

}  // namespace

int64_t program_bytes() { return resident_bytes(); }

MemoryFit fit_memory(const Architecture& architecture, const BuildOptions& build, const Backend& backend,
                     const Recipe& recipe, const std::vector<MicroBatchChoice>& choices) {
  const int64_t program = program_bytes();
  const bool is_limited = recipe.memory.memory_limit_gb.has_value();
  MemoryFit fit;
  // What is resident now counts against the limit, but is not free any more.
  fit.available = free_memory_bytes() + program;
  if (is_limited) fit.available = std::min(fit.available, static_cast<int64_t>(*recipe.memory.memory_limit_gb * 1e9));
  BuildOptions options = build;
  for (const Attempt& attempt : attempts(recipe.memory.recompute, choices)) {
    options.recompute = fit.recompute = attempt.rung;
    options.max_tokens = attempt.micro_batch.max_tokens;
    fit.micro_batch = attempt.micro_batch;
    fit.plan = plan_model(architecture, options, backend);
    if (fit.plan.total_bytes + program <= fit.available) break;
  }
  const int64_t needed = fit.plan.total_bytes + program;
  if (needed > fit.available) {
    fit.verdict = "no";
    fit.problems.push_back(too_large(fit.plan, program, fit.available, is_limited));
    return fit;
  }
  fit.verdict = double(needed) > 0.9 * double(fit.available) ? "tight" : "fits";
  fit.sentence = sentence_of(fit, recipe, choices.front());
  return fit;
}

int64_t planned_disk_bytes(int64_t trained_elements, const Recipe& recipe) {
  constexpr int64_t kBestAndLast = 2;
  constexpr int64_t kBeingWritten = 1;
  return checkpoint_bytes(trained_elements) * (recipe.checkpoint.keep_checkpoints + kBestAndLast + kBeingWritten);
}

}  // namespace anneal::engine
