#pragma once
// The processor backend: vectorised ops chosen for the machine's instruction set at run time, one OpenMP team. The same
// bits for every thread count.

#include <memory>
#include <string>

#include "kernels/backend.h"

namespace anneal {

struct CpuFacts {
  std::string processor;           // "AMD EPYC 7763"
  std::string instruction_set;     // the best that is used: "AVX-512", "AVX2", "plain x86-64"
  bool has_bf16_products = false;  // BF16 units are used; today BF16 values are multiplied as FP32 on every processor
  int cores = 1;                   // that this process may use
};
CpuFacts cpu_facts();

// `threads` 0: all cores that the process may use.
std::unique_ptr<Backend> make_cpu_backend(int threads = 0);

}  // namespace anneal
