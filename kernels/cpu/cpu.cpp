#include "kernels/cpu/cpu.h"

#include <omp.h>
#include <sched.h>

#include <atomic>
#include <exception>
#include <fstream>

#include <hwy/highway.h>

#include "kernels/cpu/denormals.h"
#include "kernels/cpu/worker.h"
#include "kernels/reference/reference.h"

namespace anneal {
namespace {

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "processor";
}

int usable_cores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return std::max(1, CPU_COUNT(&set));
}

class CpuBackend : public Backend {
 public:
  explicit CpuBackend(int threads) : facts_(cpu_facts()) {
    team_.threads = threads > 0 ? threads : facts_.cores;
#pragma omp parallel num_threads(team_.threads)
    cpu::flush_denormals();
  }
  std::string_view name() const override { return "cpu"; }
  std::string description() const override {
    return fmt::format("{}, {}, {} thread{}", facts_.processor, facts_.instruction_set, team_.threads,
                       team_.threads == 1 ? "" : "s");
  }
  int threads() const override { return team_.threads; }
  int64_t part_rows() const override { return 256; }

  void for_each_part(int64_t count, FunctionRef<void(int64_t, Stream)> part) override {
    std::exception_ptr first;
    std::atomic<bool> failed{false};
    // Handed out one by one: with another program on a core, a fixed split waits for the slower thread.
#pragma omp parallel for schedule(dynamic, 1) num_threads(team_.threads)
    for (int64_t index = 0; index < count; ++index) {
      if (failed.load(std::memory_order_relaxed)) continue;
      const cpu::DenormalsFlushed flushed;
      try {
        part(index, Stream{omp_get_thread_num()});
      } catch (...) {
#pragma omp critical(anneal_part_failed)
        if (!first) first = std::current_exception();
        failed = true;
      }
    }
    if (first) std::rethrow_exception(first);
  }

  WeightLayout weight_layout(int64_t, int64_t, bool, bool) const override {
    // Panels are packed in each product: packed before, a weight would be held twice for a few per cent of speed. BF16
    // values are held as FP32, since that is how they are multiplied.
    return {.dtype = DType::kF32};
  }
  void pack(const LinearWeight&, const Tensor&) override {}

  int64_t scratch_bytes(int op, const void* args) const override {
    using Entry = int64_t (*)(const void*, int);
#define ANNEAL_ENTRY(Args, gradient) \
  [](const void* a, int threads) { return cpu::scratch_bytes(*static_cast<const Args*>(a), threads); },
    static constexpr Entry kTable[] = {ANNEAL_FOR_EACH_OP(ANNEAL_ENTRY)};
#undef ANNEAL_ENTRY
    const int64_t bytes = kTable[op](args, team_.threads);
    return (bytes + Arena::kAlignment - 1) / Arena::kAlignment * Arena::kAlignment;
  }
  void use_scratch(const Tensor& scratch) override {
    ensure(scratch.rows() >= team_.threads, "scratch for fewer workers than the team has");
    team_.scratch = static_cast<std::byte*>(scratch.data());
    team_.scratch_stride = scratch.columns();
  }

 protected:
  void run_op(int op, const void* args, Stream stream) override {
    using Entry = void (*)(const void*, cpu::Worker);
#define ANNEAL_ENTRY(Args, gradient) \
  [](const void* a, cpu::Worker worker) { cpu::run(*static_cast<const Args*>(a), worker); },
    static constexpr Entry kTable[] = {ANNEAL_FOR_EACH_OP(ANNEAL_ENTRY)};
#undef ANNEAL_ENTRY
    if (stream.worker != Stream::kWhole) {
      kTable[op](args, cpu::Worker{team_, stream.worker});
      return;
    }
    // Whole-team ops open regions of as many threads as the team has.
    const int outer = omp_get_max_threads();
    omp_set_num_threads(team_.threads);
    const cpu::DenormalsFlushed flushed;
    kTable[op](args, cpu::Worker{team_});
    omp_set_num_threads(outer);
  }

 private:
  CpuFacts facts_;
  cpu::Team team_;
};

}  // namespace

CpuFacts cpu_facts() {
  CpuFacts facts;
  facts.processor = processor_name();
  facts.cores = usable_cores();
  const int64_t targets = hwy::SupportedTargets();
  if ((targets & HWY_AVX3) != 0) {
    facts.instruction_set = "AVX-512";
  } else if ((targets & HWY_AVX2) != 0) {
    facts.instruction_set = "AVX2";
  } else {
    facts.instruction_set = "plain x86-64";
  }
  return facts;
}

std::unique_ptr<Backend> make_cpu_backend(int threads) {
#ifdef __SANITIZE_THREAD__
  // The OpenMP runtime is not instrumented and would report races that are none: our own threads are looked at over the
  // serial references.
  (void)threads;
  return make_reference_backend();
#else
  return std::make_unique<CpuBackend>(threads);
#endif
}

}  // namespace anneal
