#include "engine/blocks/output_head.h"

namespace anneal::engine {

OutputHead::OutputHead(const Projection::Context& context, const HeadOptions& options, TokenTable& table)
    : table_(table), norm_(context, 2, options.norm, options.hidden_size, options.norm_epsilon) {
  Storage& storage = context.storage;
  const ComputeTypes& precision = context.precision;
  const int64_t hidden = options.hidden_size;
  add_slot(
      storage,
      {.name = "final sum", .dtype = precision.residual, .columns = hidden, .keep = Keep::kAlways, .is_whole = true});
  add_slot(
      storage,
      {.name = "final inverse rms", .dtype = precision.master, .columns = 1, .keep = Keep::kAlways, .is_whole = true});
  add_slot(storage, {.name = "final norm",
                     .dtype = precision.activation,
                     .columns = hidden,
                     .keep = Keep::kAlways,
                     .is_whole = true});
  const int64_t chunk = std::min(kChunkRows, storage.plan().max_tokens);
  Arena& arena = storage.arena();
  logits_ = arena.take("head", precision.master, {chunk, table.weight().outputs});
  gathered_ = arena.take("head", precision.activation, {chunk, hidden});
  if (context.training.is_training) dgathered_ = arena.take("head", precision.activation, {chunk, hidden});
}

void OutputHead::forward(Residual& stream, Pass& pass) {
  pass.rows([&](Part& part) {
    norm_.forward(part.keep(slot(kHidden)), part.keep(slot(kInvRms)), part.keep(slot(kSum)), part.of(stream.sum),
                  stream.pending.exists() ? part.of(stream.pending) : Tensor(), part);
  });
}

void OutputHead::losses(const Tensor& row_loss, Pass& pass) {
  pass.run(LinearCrossEntropy::Forward{.row_loss = row_loss,
                                       .hidden = slot(kHidden).memory.slice_rows(0, pass.tokens()),
                                       .weight = table_.weight(),
                                       .targets = pass.batch().targets,
                                       .logits = logits_,
                                       .gathered = gathered_});
}

void OutputHead::losses_and_gradient(const Tensor& row_loss, Gradient& gradient, Pass& pass) {
  const Tensor hidden = slot(kHidden).memory.slice_rows(0, pass.tokens());
  // The gradient takes the place of the hidden states, which nothing reads afterwards.
  pass.run(LinearCrossEntropy::ForwardBackward{.row_loss = row_loss,
                                               .dhidden = hidden,
                                               .dweight = table_.gradient(),
                                               .hidden = hidden,
                                               .weight = table_.weight(),
                                               .targets = pass.batch().targets,
                                               .row_weight = pass.batch().row_weight,
                                               .logits = logits_,
                                               .gathered = gathered_,
                                               .dgathered = dgathered_});
  backward(gradient, pass);
}

void OutputHead::backward(Gradient& gradient, Pass& pass) {
  pass.run(Fill::Forward{.x = gradient.stream});
  pass.rows([&](Part& part) {
    norm_.backward(part.of(gradient.stream), part.keep(slot(kHidden)), part.keep(slot(kSum)), part.keep(slot(kInvRms)),
                   part);
  });
  norm_.finish(pass);
}

void OutputHead::logits(const Tensor& logits, int64_t begin, Pass& pass) {
  pass.run(Linear::Forward{.y = logits,
                           .x = slot(kHidden).memory.slice_rows(begin, begin + logits.rows()),
                           .weight = table_.weight(),
                           .bias = {}});
}

void OutputHead::refill(int, Part&) { throw InternalError("internal fault: the output head drops nothing"); }

}  // namespace anneal::engine
