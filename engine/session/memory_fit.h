#pragma once
// Whether a run fits into memory and onto the disk; how its steps are cut and what is recomputed so that it does.

#include <string>
#include <vector>

#include "engine/model/plan.h"
#include "engine/recipe/recipe.h"

namespace anneal::engine {

// One way to cut a step: the same rows a step in each, so that the gradient is the same but for its last bits.
struct MicroBatchChoice {
  int64_t rows = 1;  // per_device_batch_size
  int64_t accumulation = 1;
  int64_t max_tokens = 0;  // of a micro-batch
};

struct MemoryFit {
  MicroBatchChoice micro_batch;
  Rung recompute = Rung::kNone;
  ModelPlan plan;
  std::string verdict;            // "fits", "tight" (over 90 % of what is there), "no"
  int64_t available = 0;          // bytes: memory_limit_gb, or what is free
  std::string sentence;           // what was changed so that it fits; else empty
  std::vector<Problem> problems;  // one, with figures, if it does not fit
};

// Of `choices` (the recipe's own first, then smaller ones) and, with `recompute` auto, of the rungs the one that costs
// least time: smaller micro-batches down to what still keeps products efficient, then recomputation, then the rest.
MemoryFit fit_memory(const Architecture& architecture, const BuildOptions& build, const Backend& backend,
                     const Recipe& recipe, const std::vector<MicroBatchChoice>& choices);

// The program itself: code, libraries, tokenizer and files in memory, as resident now.
int64_t program_bytes();

// All checkpoints that will be there at a time, and one being written.
int64_t planned_disk_bytes(int64_t trained_elements, const Recipe& recipe);

}  // namespace anneal::engine
