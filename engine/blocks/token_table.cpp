#include "engine/blocks/token_table.h"

namespace anneal::engine {

TokenTable::TokenTable(const Projection::Context& context, std::string name, int64_t vocabulary, int64_t hidden)
    : name_(std::move(name)) {
  Arena& arena = context.storage.arena();
  const DType master = context.precision.master;
  weight_.outputs = vocabulary;
  weight_.inputs = hidden;
  weight_.plain = arena.take("weights", master, {vocabulary, hidden});
  master_ = weight_.plain;
  if (!context.training.trains_weights) return;
  has_separate_copy_ = context.precision.bf16_products;
  const auto take = [&](std::string_view label) { return arena.take(label, master, {vocabulary, hidden}); };
  if (has_separate_copy_) master_ = take("master weights");
  gradient_ = take("gradients");
  first_ = take("optimizer states");
  second_ = take("optimizer states");
}

void TokenTable::parameters(ParameterList& list) {
  list.push_back({.name = name_ + ".weight",
                  .shape = {weight_.outputs, weight_.inputs},
                  .value = master_,
                  .copy = has_separate_copy_ ? weight_.plain : Tensor(),
                  .gradient = gradient_,
                  .first_moment = first_,
                  .second_moment = second_});
}

}  // namespace anneal::engine
