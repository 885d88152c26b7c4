#include "engine/blocks/decoder_block.h"

#include "engine/blocks/attention_cache.h"

namespace anneal::engine {

DecoderBlock::DecoderBlock(const Projection::Context& context, DecoderOptions options)
    : options_(std::move(options)),
      precision_(context.precision),
      input_norm_(context, 0, options_.input_norm, options_.hidden_size, options_.norm_epsilon),
      qkv_(context, 0, options_.hidden_size,
           {{options_.q_proj, query_columns(), options_.qkv_bias},
            {options_.k_proj, kv_columns(), options_.qkv_bias},
            {options_.v_proj, kv_columns(), options_.qkv_bias}}),
      o_(context, 1, query_columns(), {{options_.o_proj, options_.hidden_size, options_.o_bias}}),
      mid_norm_(context, 1, options_.post_attention_norm, options_.hidden_size, options_.norm_epsilon),
      gate_up_(context, 2, options_.hidden_size,
               {{options_.gate_proj, options_.intermediate_size, options_.mlp_bias},
                {options_.up_proj, options_.intermediate_size, options_.mlp_bias}}),
      down_(context, 3, options_.intermediate_size, {{options_.down_proj, options_.hidden_size, options_.mlp_bias}}) {
  add_slots(context);
}

void DecoderBlock::add_slots(const Projection::Context& context) {
  const DType activation = precision_.activation;
  const DType residual = precision_.residual;
  const DType master = precision_.master;
  const int64_t hidden = options_.hidden_size;
  const int64_t width = options_.intermediate_size;
  const int64_t qkv = qkv_.outputs();
  Storage& storage = context.storage;
  const auto keep = [&](std::string_view name, DType type, int64_t columns, Keep keep_until, Rung rung, bool is_whole) {
    add_slot(storage,
             {.name = name, .dtype = type, .columns = columns, .keep = keep_until, .rung = rung, .is_whole = is_whole});
  };
  using enum Keep;
  using enum Rung;
  // A trained weight's gradient is one product over all rows: what it reads is whole.
  keep("input sum", residual, hidden, kAlways, Rung::kNone, true);
  keep("input inverse rms", master, 1, kAlways, Rung::kNone, true);
  keep("input norm", activation, hidden, kUntilRung, kNorm, qkv_.trains_weight());
  keep("qkv", activation, qkv, kUntilRung, Rung::kAttention, true);
  keep("attention", activation, query_columns(), kUntilRung, Rung::kAttention, true);
  keep("lse", master, options_.attention.heads, kUntilRung, Rung::kAttention, true);
  keep("mid sum", residual, hidden, kUntilRung, kBlock, true);
  keep("mid inverse rms", master, 1, kUntilRung, kBlock, true);
  keep("mid norm", activation, hidden, kUntilRung, kNorm, gate_up_.trains_weight());
  keep("gate_up", activation, 2 * width, kUntilRung, kFeedForward, false);
  keep("activated", activation, width, kUntilRung, kActivation, down_.trains_weight());
  keep("branch", activation, hidden, kNever, Rung::kNone, false);
  keep("pending", activation, hidden, kNever, Rung::kNone, true);
  if (!context.training.is_training) return;
  keep("dy", activation, hidden, kNever, Rung::kNone, down_.trains_weight());
  keep("dmid", activation, hidden, kNever, Rung::kNone, o_.trains_weight());
  keep("dactivated", activation, width, kNever, Rung::kNone, false);
  keep("dgate_up", activation, 2 * width, kNever, Rung::kNone, gate_up_.trains_weight());
  keep("dnorm", activation, hidden, kNever, Rung::kNone, false);
  keep("dattention", activation, query_columns(), kNever, Rung::kNone, true);
  keep("dqkv", activation, qkv, kNever, Rung::kNone, true);
}

// ---- forward -------------------------------------------------------------------------------------------------------

void DecoderBlock::fill_input(const Tensor& x, const Tensor& pending, Part& part) {
  input_norm_.forward(part.keep(slot(kInputNorm)), part.keep(slot(kInputInvRms)), part.keep(slot(kInputSum)), x,
                      pending, part);
}

void DecoderBlock::fill_qkv(const Tensor& normed, Part& part) {
  const Tensor qkv = part.keep(slot(kQkv));
  qkv_.forward(normed, qkv, part);
  const AttentionShape& shape = options_.attention;
  part.run(Rope::Forward{.x = qkv.slice_columns(0, query_columns() + kv_columns()),
                         .cosine = options_.cosine,
                         .sine = options_.sine,
                         .positions = part.of(part.pass().batch().positions),
                         .heads = shape.heads + shape.kv_heads,
                         .head_size = shape.head_size});
}

void DecoderBlock::fill_attention(Pass& pass) {
  const auto whole = [&](int index) { return slot(index).memory.slice_rows(0, pass.tokens()); };
  pass.run(Attention::Forward{.out = whole(kAttention),
                              .lse = whole(kLse),
                              .qkv = whole(kQkv),
                              .bounds = pass.batch().bounds,
                              .max_length = pass.batch().max_length,
                              .shape = options_.attention});
}

void DecoderBlock::attend_cached(Pass& pass) {
  KeyValueCache& cache = *pass.cache;
  const Tensor qkv = slot(kQkv).memory.slice_rows(0, pass.tokens());
  const int64_t begin = cache.length;
  const int64_t end = begin + pass.tokens();
  const Tensor& keys = cache.keys(options_.layer);
  const Tensor& values = cache.values(options_.layer);
  const int64_t q = query_columns();
  const int64_t kv = kv_columns();
  pass.run(Convert::Forward{.out = keys.slice_rows(begin, end), .in = qkv.slice_columns(q, q + kv)});
  pass.run(Convert::Forward{.out = values.slice_rows(begin, end), .in = qkv.slice_columns(q + kv, q + 2 * kv)});
  pass.run(CachedAttention::Forward{.out = slot(kAttention).memory.slice_rows(0, pass.tokens()),
                                    .query = qkv.slice_columns(0, q),
                                    .keys = keys,
                                    .values = values,
                                    .first_position = begin,
                                    .shape = options_.attention});
}

void DecoderBlock::fill_mid(const Tensor& input_sum, Part& part) {
  const Tensor branch = part.keep(slot(kBranch));
  o_.forward(part.of(slot(kAttention).memory), branch, part);
  mid_norm_.forward(part.keep(slot(kMidNorm)), part.keep(slot(kMidInvRms)), part.keep(slot(kMidSum)), input_sum, branch,
                    part);
}

void DecoderBlock::forward(Residual& stream, Pass& pass) {
  pass.rows([&](Part& part) {
    fill_input(part.of(stream.sum), stream.pending.exists() ? part.of(stream.pending) : Tensor(), part);
    fill_qkv(part.keep(slot(kInputNorm)), part);
  });
  if (pass.cache != nullptr) {
    attend_cached(pass);
  } else {
    fill_attention(pass);
  }
  pass.rows([&](Part& part) {
    fill_mid(part.keep(slot(kInputSum)), part);
    const Tensor gate_up = part.keep(slot(kGateUp));
    gate_up_.forward(part.keep(slot(kMidNorm)), gate_up, part);
    const Tensor activated = part.keep(slot(kActivated));
    part.run(GatedActivation::Forward{.y = activated, .gate_up = gate_up, .activation = options_.activation});
    down_.forward(activated, part.keep(slot(kPending)), part);
  });
  stream = {slot(kMidSum).memory.slice_rows(0, pass.tokens()), slot(kPending).memory.slice_rows(0, pass.tokens())};
}

// ---- what was dropped
// ------------------------------------------------------------------------------------------------

void DecoderBlock::refill(int index, Part& part) {
  switch (index) {
    case kInputNorm:
      // The sum is kept; it is read with nothing pending and not written again.
      input_norm_.forward(part.keep(slot(kInputNorm)), part.keep(slot(kInputInvRms)), {}, part.keep(slot(kInputSum)),
                          {}, part);
      return;
    case kMidSum:
    case kMidInvRms:
    case kMidNorm:
      if (slot(kMidSum).is_kept) {
        mid_norm_.forward(part.keep(slot(kMidNorm)), part.keep(slot(kMidInvRms)), {}, part.keep(slot(kMidSum)), {},
                          part);
      } else {
        fill_mid(part.keep(slot(kInputSum)), part);
      }
      return;
    case kGateUp:
      gate_up_.forward(part.take(*this, kMidNorm), part.keep(slot(kGateUp)), part);
      return;
    case kActivated:
      part.run(GatedActivation::Forward{
          .y = part.keep(slot(kActivated)), .gate_up = part.take(*this, kGateUp), .activation = options_.activation});
      return;
    default:
      throw InternalError("internal fault: a slot of the decoder block cannot be refilled by rows");
  }
}

// Attention needs all rows at once, so its slots are made again before the region that reads them.
void DecoderBlock::refill_whole(Pass& pass) {
  pass.filled.reset();
  if (slot(kQkv).is_kept) return;
  pass.rows([&](Part& part) { fill_qkv(part.take(*this, kInputNorm), part); });
  fill_attention(pass);
  pass.filled.set(kQkv).set(kAttention).set(kLse);
}

// ---- backward ------------------------------------------------------------------------------------------------------

Tensor DecoderBlock::as_activation(const Tensor& gradient, int index, Part& part) {
  // In place of a copy: the rows themselves, where the type is the same and no product over all rows reads them later.
  const bool is_whole = !slot(index).by_worker;
  if (precision_.activation == precision_.residual && !is_whole) return gradient;
  const Tensor converted = part.keep(slot(index));
  part.run(Convert::Forward{.out = converted, .in = gradient});
  return converted;
}

void DecoderBlock::backward_feed_forward(const Tensor& gradient, Part& part) {
  // With everything but the input dropped, the products below read what fill_mid makes: the mid sum comes first.
  const Tensor mid_norm = part.take(*this, kMidNorm);
  const Tensor gate_up = part.take(*this, kGateUp);
  const Tensor activated = part.take(*this, kActivated);
  const Tensor dactivated = part.keep(slot(kDActivated));
  down_.backward(as_activation(gradient, kDy, part), activated, dactivated, Accumulate::kNo, part);
  const Tensor dgate_up = part.keep(slot(kDGateUp));
  part.run(GatedActivation::Backward{
      .dgate_up = dgate_up, .dy = dactivated, .gate_up = gate_up, .activation = options_.activation});
  const Tensor dnorm = part.keep(slot(kDNorm));
  gate_up_.backward(dgate_up, mid_norm, dnorm, Accumulate::kNo, part);
  mid_norm_.backward(gradient, dnorm, part.keep(slot(kMidSum)), part.keep(slot(kMidInvRms)), part);
  o_.backward(as_activation(gradient, kDMid, part), part.of(slot(kAttention).memory), part.keep(slot(kDAttention)),
              Accumulate::kNo, part);
}

void DecoderBlock::backward_attention(Pass& pass) {
  const auto whole = [&](int index) { return slot(index).memory.slice_rows(0, pass.tokens()); };
  pass.run(Attention::Backward{.dqkv = whole(kDQkv),
                               .dout = whole(kDAttention),
                               .out = whole(kAttention),
                               .lse = whole(kLse),
                               .qkv = whole(kQkv),
                               .bounds = pass.batch().bounds,
                               .max_length = pass.batch().max_length,
                               .shape = options_.attention});
}

void DecoderBlock::backward_input(const Tensor& gradient, bool wanted, Part& part) {
  const AttentionShape& shape = options_.attention;
  const Tensor dqkv = part.keep(slot(kDQkv));
  part.run(Rope::Backward{.dx = dqkv.slice_columns(0, query_columns() + kv_columns()),
                          .cosine = options_.cosine,
                          .sine = options_.sine,
                          .positions = part.of(part.pass().batch().positions),
                          .heads = shape.heads + shape.kv_heads,
                          .head_size = shape.head_size});
  const bool needs_input = wanted || input_norm_.is_trained();
  const Tensor dnorm = needs_input ? part.keep(slot(kDNorm)) : Tensor();
  qkv_.backward(dqkv, part.take(*this, kInputNorm), dnorm, Accumulate::kNo, part);
  if (needs_input) {
    input_norm_.backward(gradient, dnorm, part.keep(slot(kInputSum)), part.keep(slot(kInputInvRms)), part);
  }
}

void DecoderBlock::backward(Gradient& gradient, Pass& pass) {
  refill_whole(pass);
  const Tensor stream = gradient.stream;
  pass.rows([&](Part& part) { backward_feed_forward(part.of(stream), part); });
  down_.weight_gradient(slot(kDy).memory, slot(kActivated).memory, pass);
  gate_up_.weight_gradient(slot(kDGateUp).memory, slot(kMidNorm).memory, pass);
  o_.weight_gradient(slot(kDMid).memory, slot(kAttention).memory, pass);
  if (gradient.wanted || qkv_.is_trained() || input_norm_.is_trained()) {
    backward_attention(pass);
    const bool wanted = gradient.wanted;
    pass.rows([&](Part& part) { backward_input(part.of(stream), wanted, part); });
    qkv_.weight_gradient(slot(kDQkv).memory, slot(kInputNorm).memory, pass);
  }
  for (Projection* projection : {&qkv_, &o_, &gate_up_, &down_}) projection->finish(pass);
  input_norm_.finish(pass);
  mid_norm_.finish(pass);
}

void DecoderBlock::parameters(ParameterList& list) {
  input_norm_.parameters(list);
  qkv_.parameters(list);
  o_.parameters(list);
  mid_norm_.parameters(list);
  gate_up_.parameters(list);
  down_.parameters(list);
}

bool DecoderBlock::is_trained() const {
  return qkv_.is_trained() || o_.is_trained() || gate_up_.is_trained() || down_.is_trained() ||
         input_norm_.is_trained();
}

void DecoderBlock::prepare(Backend& backend) {
  for (Projection* projection : {&qkv_, &o_, &gate_up_, &down_}) projection->prepare(backend);
}

}  // namespace anneal::engine
