#include "engine/model/model.h"

#include <cmath>

#include "kernels/core/philox.h"

namespace anneal::engine {

Model::Model(const Architecture& architecture, const BuildOptions& options, Backend& backend, Arena& arena)
    : architecture_(architecture),
      options_(options),
      backend_(backend),
      storage_({.max_tokens = options.max_tokens,
                .dropped = options.recompute,
                .keeps_nothing = !options.training.is_training},
               backend, arena) {
  build_tables(arena);
  build_blocks({storage_, backend, options_.types, options_.training});
  const auto rows = [&](DType type, int64_t columns) {
    return arena.take("shared activations", type, {options_.max_tokens, columns});
  };
  stream_ = rows(options_.types.residual, architecture_.hidden_size);
  if (options_.training.is_training) gradient_ = rows(options_.types.residual, architecture_.hidden_size);
  row_loss_ = arena.take("batch", options_.types.master, {options_.max_tokens});
  batch_ = BatchMemory(arena, options_.max_tokens, options_.types.master);
  if (options_.logit_rows > 0) {
    logits_ = arena.take("head", options_.types.master, {options_.logit_rows, architecture_.vocab_size});
  }
  if (options_.cache_length > 0) {
    cache_ =
        std::make_unique<KeyValueCache>(arena, architecture_.layers, options_.cache_length,
                                        architecture_.kv_heads * architecture_.head_dim, options_.types.activation);
  }
  embedding_->parameters(parameters_);
  for (const auto& block : blocks_) block->parameters(parameters_);
  head_->parameters(parameters_);
  if (head_table_) head_table_->parameters(parameters_);
}

void Model::build_tables(Arena& arena) {
  const std::vector<float> frequencies = rope_inverse_frequencies(architecture_);
  const auto half = static_cast<int64_t>(frequencies.size());
  const DType type = options_.types.master;
  cosine_ = arena.take("tables", type, {options_.max_length, half});
  sine_ = arena.take("tables", type, {options_.max_length, half});
  if (arena.is_dry()) return;
  for (int64_t position = 0; position < options_.max_length; ++position) {
    for (int64_t i = 0; i < half; ++i) {
      const float frequency = frequencies[static_cast<std::size_t>(i)];
      if (type == DType::kF64) {
        const double angle = static_cast<double>(position) * static_cast<double>(frequency);
        cosine_.as<double>()[position * half + i] = std::cos(angle);
        sine_.as<double>()[position * half + i] = std::sin(angle);
      } else {
        // The angle is rounded to float before its cosine, as transformers does.
        const float angle = static_cast<float>(position) * frequency;
        cosine_.as<float>()[position * half + i] = std::cos(angle);
        sine_.as<float>()[position * half + i] = std::sin(angle);
      }
    }
  }
}

void Model::build_blocks(const Projection::Context& shared) {
  Projection::Context context = shared;
  embedding_ = std::make_unique<TokenTable>(context, architecture_.names.embedding, architecture_.vocab_size,
                                            architecture_.hidden_size);
  for (int64_t layer = 0; layer < architecture_.layers; ++layer) {
    context.block = static_cast<uint64_t>(layer) + 1;
    blocks_.push_back(std::make_unique<DecoderBlock>(context, layer_options(layer)));
  }
  if (!architecture_.tie_word_embeddings) {
    head_table_ = std::make_unique<TokenTable>(context, architecture_.names.head, architecture_.vocab_size,
                                               architecture_.hidden_size);
  }
  head_ = std::make_unique<OutputHead>(
      context, HeadOptions{architecture_.names.final_norm, architecture_.hidden_size, architecture_.norm_epsilon},
      head_table_ ? *head_table_ : *embedding_);
}

DecoderOptions Model::layer_options(int64_t layer) const {
  const Architecture& a = architecture_;
  const LayerNames names = a.names.of_layer(layer);
  const int64_t window = a.windows.empty() ? 0 : a.windows[static_cast<std::size_t>(layer)];
  return {.layer = layer,
          .hidden_size = a.hidden_size,
          .intermediate_size = a.intermediate_size,
          .attention = {.heads = a.heads,
                        .kv_heads = a.kv_heads,
                        .head_size = a.head_dim,
                        .scale = 1.0 / std::sqrt(static_cast<double>(a.head_dim)),
                        .window = window},
          .norm_epsilon = a.norm_epsilon,
          .activation = a.activation,
          .qkv_bias = a.qkv_bias,
          .o_bias = a.o_bias,
          .mlp_bias = a.mlp_bias,
          .cosine = cosine_,
          .sine = sine_,
          .q_proj = names.q_proj,
          .k_proj = names.k_proj,
          .v_proj = names.v_proj,
          .o_proj = names.o_proj,
          .gate_proj = names.gate_proj,
          .up_proj = names.up_proj,
          .down_proj = names.down_proj,
          .input_norm = names.input_norm,
          .post_attention_norm = names.post_attention_norm};
}

Residual Model::run_blocks(Pass& pass) {
  ensure(pass.tokens() > 0 && pass.tokens() <= options_.max_tokens, "a micro-batch of no or too many tokens");
  const Tensor stream = stream_.slice_rows(0, pass.tokens());
  pass.rows([&](Part& part) {
    part.run(Embedding::Forward{
        .y = part.of(stream), .table = embedding_->weight().plain, .ids = part.of(pass.batch().ids)});
  });
  Residual residual{stream, {}};
  for (const auto& block : blocks_) block->forward(residual, pass);
  head_->forward(residual, pass);
  return residual;
}

double Model::sum_of_losses(int64_t tokens) const {
  double sum = 0;
  if (row_loss_.data() == nullptr) return sum;  // dry
  for (int64_t i = 0; i < tokens; ++i) {
    sum += row_loss_.dtype() == DType::kF64 ? row_loss_.as<double>()[i] : double(row_loss_.as<float>()[i]);
  }
  return sum;
}

double Model::forward_backward(const BatchView& batch, RandomKey key) {
  ensure(options_.training.is_training, "a model built without gradients is asked for them");
  Pass pass(backend_, batch, options_.types, storage_.part_rows(), key);
  pass.is_training = true;
  pass.adapters_off = adapters_off;
  run_blocks(pass);
  Gradient gradient{gradient_.slice_rows(0, batch.tokens)};
  head_->losses_and_gradient(row_loss_.slice_rows(0, batch.tokens), gradient, pass);

  // Below the lowest trained part nothing is computed.
  std::size_t lowest = 0;
  if (!embedding_->is_trained()) {
    while (lowest < blocks_.size() && !blocks_[lowest]->is_trained()) ++lowest;
  }
  for (std::size_t i = blocks_.size(); i > lowest; --i) {
    gradient.wanted = i - 1 > lowest || embedding_->is_trained();
    blocks_[i - 1]->backward(gradient, pass);
  }
  if (embedding_->is_trained()) {
    pass.run(Embedding::Backward{.dtable = embedding_->gradient(), .dy = gradient.stream, .ids = batch.ids});
  }
  return sum_of_losses(batch.tokens);
}

double Model::evaluate(const BatchView& batch) {
  Pass pass(backend_, batch, options_.types, storage_.part_rows());
  pass.adapters_off = adapters_off;
  run_blocks(pass);
  head_->losses(row_loss_.slice_rows(0, batch.tokens), pass);
  return sum_of_losses(batch.tokens);
}

Tensor Model::logits(const BatchView& batch, int64_t begin, int64_t rows) {
  Pass pass(backend_, batch, options_.types, storage_.part_rows());
  pass.adapters_off = adapters_off;
  run_blocks(pass);
  const Tensor logits = logits_.slice_rows(0, rows);
  head_->logits(logits, begin, pass);
  return logits;
}

Tensor Model::append(const BatchView& batch, int64_t rows) {
  ensure(cache_ != nullptr, "a model built without a key/value cache is asked to generate");
  ensure(cache_->length + batch.tokens <= cache_->capacity(), "the key/value cache is full");
  Pass pass(backend_, batch, options_.types, storage_.part_rows());
  pass.cache = cache_.get();
  pass.adapters_off = adapters_off;
  run_blocks(pass);
  cache_->length += batch.tokens;
  const Tensor logits = logits_.slice_rows(0, rows);
  head_->logits(logits, batch.tokens - rows, pass);
  return logits;
}

void Model::shorten_cache(int64_t length) {
  ensure(cache_ != nullptr && length <= cache_->length, "a key/value cache cannot be shortened to more than it holds");
  cache_->length = length;
}

void Model::zero_gradients() {
  for (const Parameter& parameter : parameters_) {
    if (parameter.is_trained()) backend_.run(Fill::Forward{.x = parameter.gradient});
  }
}

void Model::prepare() {
  for (const auto& block : blocks_) block->prepare(backend_);
}

void Model::initialize_adapters() {
  for (const Parameter& parameter : parameters_) {
    if (!parameter.is_adapter) continue;
    const bool is_a = parameter.name.ends_with(".lora_A.weight");
    uint64_t hash = 0xCBF29CE484222325u;  // FNV-1a of the name: the numbers do not depend on the order of modules
    for (const char c : parameter.name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
    RandomStream random(options_.seed, RandomUse::kAdapterInit, hash);
    const double bound = 1.0 / std::sqrt(static_cast<double>(parameter.shape[1]));
    for (int64_t i = 0; i < parameter.elements(); ++i) {
      // FP32 values in every precision, so that a run in double starts from the same adapters.
      const auto value = is_a ? static_cast<float>((2.0 * random.next_uniform() - 1.0) * bound) : 0.0f;
      if (parameter.value.dtype() == DType::kF64) {
        parameter.value.as<double>()[i] = value;
      } else {
        parameter.value.as<float>()[i] = value;
      }
    }
  }
}

}  // namespace anneal::engine
