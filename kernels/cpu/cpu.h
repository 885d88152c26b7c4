#pragma once
// The processor backend: oneDNN products, vectorised fused memory-bound ops chosen for the machine's instruction set at
// run time, one OpenMP team. Same thread count, same bits; attention, norms and reductions give the same bits for every
// thread count.

#include <memory>
#include <string>

#include "kernels/backend.h"

namespace anneal {

struct CpuFacts {
  std::string processor;        // "AMD EPYC 7763"
  std::string instruction_set;  // the best that is used: "AVX2", "AVX-512", "AVX-512 BF16", "AMX BF16"
  bool has_bf16_products = false;
  int cores = 1;                // that this process may use
};
CpuFacts cpu_facts();

// `threads` 0: all cores that the process may use.
std::unique_ptr<Backend> make_cpu_backend(int threads = 0);

}  // namespace anneal
