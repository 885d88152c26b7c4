// Nothing is allocated on the step path after the first step: every malloc of the process is counted, those of
// libraries too.

#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>

#include "engine/training/trainer.h"
#include "kernels/cpu/cpu.h"
#include "tests/engine/model/tiny_model.h"

extern "C" {
void* __libc_malloc(std::size_t bytes);
void* __libc_calloc(std::size_t count, std::size_t bytes);
void* __libc_realloc(void* block, std::size_t bytes);
void* __libc_memalign(std::size_t alignment, std::size_t bytes);
}

namespace {
std::atomic<bool> g_counting{false};
std::atomic<int64_t> g_allocations{0};

void count() {
  if (g_counting.load(std::memory_order_relaxed)) g_allocations.fetch_add(1, std::memory_order_relaxed);
}
}  // namespace

extern "C" {
void* malloc(std::size_t bytes) {
  count();
  return __libc_malloc(bytes);
}
void* calloc(std::size_t number, std::size_t bytes) {
  count();
  return __libc_calloc(number, bytes);
}
void* realloc(void* block, std::size_t bytes) {
  count();
  return __libc_realloc(block, bytes);
}
void* memalign(std::size_t alignment, std::size_t bytes) {
  count();
  return __libc_memalign(alignment, bytes);
}
void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  count();
  return __libc_memalign(alignment, bytes);
}
int posix_memalign(void** block, std::size_t alignment, std::size_t bytes) {
  count();
  *block = __libc_memalign(alignment, bytes);
  return *block == nullptr ? ENOMEM : 0;
}
}

namespace anneal::engine {
namespace {

datasets::LoadedStep some_step() {
  datasets::LoadedStep step;
  for (uint64_t i = 0; i < 2; ++i) {
    datasets::MicroBatch& batch = step.micro_batches.emplace_back();
    for (const int64_t length : {30, 17}) {
      const auto ids = tokens(length, i * 10 + static_cast<uint64_t>(length));
      batch.rows.push_back({0, {ids, ids}});
      batch.label_tokens += length - 1;
    }
    batch.used = 2;
    step.label_tokens += batch.label_tokens;
  }
  step.used = 2;
  return step;
}

TEST(StepPath, TheCounterCounts) {
  g_allocations = 0;
  g_counting = true;
  std::vector<int>* made = new std::vector<int>(100);
  g_counting = false;
  delete made;
  EXPECT_GE(g_allocations.load(), 2);
}

TEST(StepPath, AllocatesNothingAfterTheFirstStep) {
  const TrainingPlan plans[] = {{.is_training = true, .trains_weights = true},
                                {.is_training = true, .lora = {.rank = 4, .alpha = 8, .dropout = 0.1, .targets = {}}}};
  for (const TrainingPlan& plan : plans) {
    for (const Rung rung : {Rung::kNone, Rung::kBlock}) {
      for (const ComputeTypes& types : {ComputeTypes::fp32(), ComputeTypes::bf16()}) {
        const auto backend = make_cpu_backend(2);
        PlannedModel model(tiny_architecture(),
                           {.types = types, .training = plan, .max_tokens = 64, .max_length = 64, .recompute = rung},
                           *backend);
        fill_randomly(*model);
        Trainer trainer(*model, 1);
        const datasets::LoadedStep step = some_step();
        trainer.step(step, {.learning_rate = 1e-3}, 1);
        g_allocations = 0;
        g_counting = true;
        for (int64_t number = 2; number < 5; ++number) trainer.step(step, {.learning_rate = 1e-3}, number);
        g_counting = false;
        EXPECT_EQ(g_allocations.load(), 0)
            << types.name << " recompute " << name_of(rung) << (plan.trains_weights ? " full" : " lora");
      }
    }
  }
}

}  // namespace
}  // namespace anneal::engine
