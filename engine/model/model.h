#pragma once
// A decoder-only language model: token table, blocks, output head, cut from one arena. The same constructor run on a
// dry arena and backend is the memory plan (plan_model).

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/architecture/architecture.h"
#include "engine/blocks/attention_cache.h"
#include "engine/blocks/decoder_block.h"
#include "engine/blocks/output_head.h"
#include "engine/blocks/token_table.h"
#include "engine/model/batch.h"

namespace anneal::engine {

struct BuildOptions {
  ComputeTypes types;
  TrainingPlan training;
  int64_t max_tokens = 0;  // rows of the largest micro-batch (generating: of the largest prefill)
  int64_t max_length = 0;  // positions of the longest document or conversation
  Rung recompute = Rung::kNone;
  int64_t cache_length = 0;  // generating: positions of the key/value cache; 0 for none
  int64_t logit_rows = 0;    // rows of logits that are asked for at a time; 0 for none
  uint64_t seed = 0;         // adapters, dropout
};

class Model {
 public:
  // Cuts everything from the arena; weights are not there yet (load_weights, see weights.h).
  Model(const Architecture& architecture, const BuildOptions& options, Backend& backend, Arena& arena);

  const Architecture& architecture() const { return architecture_; }
  const BuildOptions& options() const { return options_; }
  Backend& backend() { return backend_; }
  // Tied weights stand once. In the order of the blocks.
  ParameterList& parameters() { return parameters_; }
  // The arena's memory of one micro-batch, to be filled by the caller.
  BatchMemory& batch_memory() { return batch_; }

  // Adapters as PEFT makes them: A uniform in ±1/sqrt(inputs), B zero, from the seed and the module's name alone.
  void initialize_adapters();
  // After weights were read or changed.
  void prepare();

  void zero_gradients();
  // Loss of every row of the micro-batch and all gradients, which are added to. Sums in FP32 or better; returns Σ
  // row_loss.
  double forward_backward(const BatchView& batch, RandomKey key);
  // Σ row_loss, without gradients.
  double evaluate(const BatchView& batch);
  // Logits (FP32 or double) of rows [begin, begin + rows) of one document; rows ≤ options.logit_rows. Valid until the
  // next call.
  Tensor logits(const BatchView& batch, int64_t begin, int64_t rows);
  // Appends the batch's tokens to the cached sequence; returns the logits of the last `rows` of them.
  Tensor append(const BatchView& batch, int64_t rows);
  void shorten_cache(int64_t length);  // forgets positions from `length` on
  int64_t cached_length() const { return cache_ ? cache_->length : 0; }

  bool adapters_off = false;

 private:
  void build_tables(Arena& arena);
  void build_blocks(const Projection::Context& context);
  DecoderOptions layer_options(int64_t layer) const;
  Residual run_blocks(Pass& pass);
  double sum_of_losses(int64_t tokens) const;

  Architecture architecture_;
  BuildOptions options_;
  Backend& backend_;
  Storage storage_;
  std::unique_ptr<TokenTable> embedding_;
  std::unique_ptr<TokenTable> head_table_;  // none where tied
  std::vector<std::unique_ptr<DecoderBlock>> blocks_;
  std::unique_ptr<OutputHead> head_;
  std::unique_ptr<KeyValueCache> cache_;
  Tensor cosine_, sine_;
  Tensor stream_;    // (max_tokens, hidden): embedded tokens
  Tensor gradient_;  // (max_tokens, hidden)
  Tensor row_loss_;  // (max_tokens)
  Tensor logits_;    // (logit_rows, vocabulary)
  BatchMemory batch_;
  ParameterList parameters_;
};

}  // namespace anneal::engine
