#include "engine/generation/generator.h"

#include <algorithm>
#include <chrono>

namespace anneal::engine {
namespace {
constexpr int64_t kPrefillRows = 512;
}

BuildOptions generation_build(ComputeTypes types, int64_t context, const AdapterOptions& adapters) {
  return {.types = types,
          .training = {.lora = adapters},
          .max_tokens = std::min(context, kPrefillRows),
          .max_length = context,
          .cache_length = context,
          .logit_rows = 1};
}

std::span<const float> Generator::append(std::span<const int32_t> ids) {
  Tensor logits;
  const auto rows = static_cast<std::size_t>(model_.options().max_tokens);
  while (!ids.empty()) {
    const std::span<const int32_t> some = ids.first(std::min(rows, ids.size()));
    model_.batch_memory().clear();
    model_.batch_memory().add_continued(some, model_.cached_length());
    logits = model_.append(model_.batch_memory().view(model_.options().max_length), 1);
    cached_.insert(cached_.end(), some.begin(), some.end());
    ids = ids.subspan(some.size());
  }
  return {logits.as<float>(), static_cast<std::size_t>(logits.columns())};
}

void Generator::use_adapters(bool on) {
  if (model_.adapters_off == !on) return;
  model_.adapters_off = !on;
  cached_.clear();
  model_.shorten_cache(0);
}

Generation Generator::generate(const std::vector<int32_t>& prompt, const GenerationOptions& options,
                               const std::function<bool(int32_t)>& on_token) {
  ensure(!prompt.empty(), "an empty prompt");
  const int64_t context = model_.options().cache_length;
  if (static_cast<int64_t>(prompt.size()) > context) {
    throw input_error("The prompt has {} tokens; {} fit. Shorten it.", prompt.size(), context);
  }
  // What the cache holds already; the last token is computed in any case, since its logits are wanted.
  const auto known = static_cast<std::size_t>(
      std::mismatch(cached_.begin(), cached_.end(), prompt.begin(), prompt.end()).first - cached_.begin());
  const std::size_t kept = std::min(known, prompt.size() - 1);
  cached_.resize(kept);
  model_.shorten_cache(static_cast<int64_t>(kept));

  Sampler sampler(options.sampling);
  std::vector<int32_t> sequence = prompt;
  std::span<const float> logits = append(std::span(prompt).subspan(kept));
  Generation result;
  const auto begin = std::chrono::steady_clock::now();
  for (;;) {
    // The wish before the limit: a context that was cut to the wish is not what ended the text.
    if (static_cast<int64_t>(result.ids.size()) >= options.max_new_tokens) {
      result.stopped = "max_new_tokens";
      break;
    }
    if (!result.ids.empty()) {
      if (static_cast<int64_t>(sequence.size()) >= context) {
        result.stopped = "context";
        break;
      }
      logits = append(std::span(&result.ids.back(), 1));
    }
    const int32_t id = sampler.next(logits, sequence);
    if (std::find(options.stop_tokens.begin(), options.stop_tokens.end(), id) != options.stop_tokens.end()) {
      result.stopped = "stop_token";
      break;
    }
    result.ids.push_back(id);
    sequence.push_back(id);
    if (on_token && !on_token(id)) {
      result.stopped = "asked";
      break;
    }
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  if (seconds.count() > 0) result.tokens_per_second = double(result.ids.size()) / seconds.count();
  return result;
}

}  // namespace anneal::engine
