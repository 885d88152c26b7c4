#include "engine/generation/generator.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "engine/model/plan.h"
#include "kernels/cpu/cpu.h"
#include "tests/engine/model/tiny_model.h"

namespace anneal::engine {
namespace {

constexpr int64_t kContext = 48;

struct Writer {
  explicit Writer(int64_t context = kContext)
      : backend(make_cpu_backend(2)),
        model(tiny_architecture(), generation_build(ComputeTypes::fp32(), context, {}), *backend),
        generator(*model) {
    fill_randomly(*model);
  }
  Generation write(const std::vector<int32_t>& prompt, const GenerationOptions& options) {
    return generator.generate(prompt, options);
  }
  std::unique_ptr<Backend> backend;
  PlannedModel model;
  Generator generator;
};

// The most likely next token of a sequence, all of it computed at once and without a cache.
int32_t next_without_cache(const std::vector<int32_t>& sequence) {
  const auto backend = make_cpu_backend(2);
  PlannedModel model(tiny_architecture(),
                     {.types = ComputeTypes::fp32(), .max_tokens = kContext, .max_length = kContext, .logit_rows = 1},
                     *backend);
  fill_randomly(*model);
  model->batch_memory().add({sequence, {}}, 0, 0);
  const Tensor logits =
      model->logits(model->batch_memory().view(kContext), static_cast<int64_t>(sequence.size()) - 1, 1);
  const float* values = logits.as<float>();
  return static_cast<int32_t>(std::max_element(values, values + logits.columns()) - values);
}

TEST(Generator, WritesWhatAWholeComputationWouldChoose) {
  std::vector<int32_t> sequence = tokens(9, 4);
  const Generation written = Writer().write(sequence, {.max_new_tokens = 12});
  ASSERT_EQ(written.ids.size(), 12u);
  EXPECT_EQ(written.stopped, "max_new_tokens");
  for (const int32_t id : written.ids) {
    EXPECT_EQ(id, next_without_cache(sequence));
    sequence.push_back(id);
  }
}

// A context of exactly prompt and wish is not what ends the text; a shorter one is.
TEST(Generator, SaysWhatEndedTheText) {
  const std::vector<int32_t> prompt = tokens(6, 5);
  EXPECT_EQ(Writer(11).write(prompt, {.max_new_tokens = 5}).stopped, "max_new_tokens");
  const Generation cut = Writer(10).write(prompt, {.max_new_tokens = 5});
  EXPECT_EQ(cut.stopped, "context");
  EXPECT_EQ(cut.ids.size(), 4u);
}

TEST(Generator, AConversationThatGoesOnReadsAsOneThatBeginsAnew) {
  Writer writer;
  std::vector<int32_t> sequence = tokens(6, 5);
  const Generation first = writer.write(sequence, {.max_new_tokens = 5});
  sequence.insert(sequence.end(), first.ids.begin(), first.ids.end());
  sequence.push_back(3);
  EXPECT_EQ(writer.write(sequence, {.max_new_tokens = 5}).ids, Writer().write(sequence, {.max_new_tokens = 5}).ids);
  // And one whose earlier turn was changed.
  sequence[2] = (sequence[2] + 1) % 37;
  EXPECT_EQ(writer.write(sequence, {.max_new_tokens = 5}).ids, Writer().write(sequence, {.max_new_tokens = 5}).ids);
  // The same once more: nothing is new, and the answer is the same.
  EXPECT_EQ(writer.write(sequence, {.max_new_tokens = 5}).ids, Writer().write(sequence, {.max_new_tokens = 5}).ids);
}

TEST(Generator, StopsAtAStopTokenAndLeavesItOut) {
  const std::vector<int32_t> prompt = tokens(9, 4);
  const Generation free = Writer().write(prompt, {.max_new_tokens = 12});
  const int32_t stop = free.ids[4];
  const auto first = std::find(free.ids.begin(), free.ids.end(), stop);
  const Generation stopped = Writer().write(prompt, {.max_new_tokens = 12, .stop_tokens = {stop}});
  EXPECT_EQ(stopped.stopped, "stop_token");
  EXPECT_EQ(stopped.ids, std::vector<int32_t>(free.ids.begin(), first));
}

TEST(Generator, StopsWhereTheContextEnds) {
  const Generation written = Writer(16).write(tokens(10, 4), {.max_new_tokens = 100});
  EXPECT_EQ(written.stopped, "context");
  EXPECT_EQ(written.ids.size(), 6u);
}

TEST(Generator, RefusesAPromptThatDoesNotFit) {
  Writer writer(8);
  EXPECT_THROW(writer.write(tokens(9, 4), {}), Error);
}

TEST(Generator, AdaptersAreSwitchedWithoutReadingTheModelAgain) {
  const AdapterOptions adapters{.rank = 2, .alpha = 64};
  const auto backend = make_cpu_backend(2);
  PlannedModel model(tiny_architecture(), generation_build(ComputeTypes::fp32(), kContext, adapters), *backend);
  fill_randomly(*model);
  Generator generator(*model);
  const std::vector<int32_t> prompt = tokens(9, 4);
  const GenerationOptions options{.max_new_tokens = 10};
  const std::vector<int32_t> tuned = generator.generate(prompt, options).ids;
  generator.use_adapters(false);
  const std::vector<int32_t> base = generator.generate(prompt, options).ids;
  EXPECT_NE(base, tuned);
  generator.use_adapters(true);
  EXPECT_EQ(generator.generate(prompt, options).ids, tuned);
}

TEST(Generator, EndsWhenItIsAskedTo) {
  Writer writer;
  int count = 0;
  const Generation written =
      writer.generator.generate(tokens(4, 4), {.max_new_tokens = 20}, [&](int32_t) { return ++count < 3; });
  EXPECT_EQ(written.stopped, "asked");
  EXPECT_EQ(written.ids.size(), 3u);
}

}  // namespace
}  // namespace anneal::engine
