#pragma once
// Whether a run fits into memory and onto the disk, and what is recomputed so that it does.

#include <string>
#include <vector>

#include "engine/model/plan.h"
#include "engine/recipe/recipe.h"

namespace anneal::engine {

struct MemoryFit {
  Rung recompute = Rung::kNone;
  ModelPlan plan;
  std::string verdict;            // "fits", "tight" (over 90 % of what is there), "no"
  int64_t available = 0;          // bytes: memory_limit_gb, or what is free
  std::string sentence;           // why something is recomputed; else empty
  std::vector<Problem> problems;  // one, with figures, if it does not fit
};

// With `recompute` auto the lowest rung that fits is taken.
MemoryFit fit_memory(const Architecture& architecture, const BuildOptions& build, const Backend& backend,
                     const Recipe& recipe);

// The program itself: code, libraries, tokenizer and files in memory, as resident now.
int64_t program_bytes();

// All checkpoints that will be there at a time, and one being written.
int64_t planned_disk_bytes(int64_t trained_elements, const Recipe& recipe);

}  // namespace anneal::engine
