#include "engine/blocks/projection.h"

#include <algorithm>
#include <cmath>

namespace anneal::engine {

bool AdapterOptions::targets_module(const std::string& module) const {
  if (rank <= 0) return false;
  if (targets.empty()) return true;
  return std::any_of(targets.begin(), targets.end(),
                     [&](const std::string& target) { return module == target || module.ends_with("." + target); });
}

double AdapterOptions::scale() const {
  const auto r = static_cast<double>(rank);
  return use_rslora ? alpha / std::sqrt(r) : alpha / r;
}

Projection::Projection(const Context& context, uint64_t number, int64_t inputs, std::vector<ProjectionOutput> outputs)
    : block_(context.block), number_(number), outputs_(std::move(outputs)), lora_(context.training.lora) {
  weight_.inputs = inputs;
  for (const ProjectionOutput& output : outputs_) weight_.outputs += output.columns;
  add_weight(context);
  add_adapters(context);
}

void Projection::add_weight(const Context& context) {
  Arena& arena = context.storage.arena();
  const bool is_frozen = !context.training.trains_weights;
  const WeightLayout layout =
      context.backend.weight_layout(weight_.outputs, weight_.inputs, context.precision.bf16_products, is_frozen);
  const DType master = context.precision.master;
  const DType plain = master == DType::kF64 ? DType::kF64 : layout.dtype;
  if (layout.keeps_plain) weight_.plain = arena.take("weights", plain, {weight_.outputs, weight_.inputs});
  if (layout.forward_bytes > 0) weight_.forward = arena.take("weights", DType::kU8, {layout.forward_bytes});
  if (layout.backward_bytes > 0) weight_.backward = arena.take("weights", DType::kU8, {layout.backward_bytes});
  const bool has_bias =
      std::any_of(outputs_.begin(), outputs_.end(), [](const auto& output) { return output.has_bias; });
  if (has_bias) bias_ = arena.take("weights", master, {weight_.outputs});
  if (is_frozen) {
    master_ = weight_.plain;
    return;
  }
  has_separate_copy_ = context.precision.bf16_products || !layout.keeps_plain;
  const auto take = [&](std::string_view label) {
    return arena.take(label, master, {weight_.outputs, weight_.inputs});
  };
  master_ = has_separate_copy_ ? take("master weights") : weight_.plain;
  weight_gradient_ = take("gradients");
  weight_first_ = take("optimizer states");
  weight_second_ = take("optimizer states");
  if (has_bias) {
    bias_gradient_ = arena.take("gradients", master, {weight_.outputs});
    bias_first_ = arena.take("optimizer states", master, {weight_.outputs});
    bias_second_ = arena.take("optimizer states", master, {weight_.outputs});
  }
}

void Projection::add_adapters(const Context& context) {
  int64_t first_column = 0;
  int64_t total_rank = 0;
  for (std::size_t output = 0; output < outputs_.size(); ++output) {
    const int64_t columns = outputs_[output].columns;
    if (lora_.targets_module(outputs_[output].module)) {
      adapters_.push_back({.output = output,
                           .first_column = first_column,
                           .columns = columns,
                           .first_row = total_rank,
                           .rank = lora_.rank,
                           .b = {},
                           .b_gradient = {},
                           .b_first = {},
                           .b_second = {},
                           .b_partial = {}});
      total_rank += lora_.rank;
    }
    first_column += columns;
  }
  if (adapters_.empty()) return;

  Storage& storage = context.storage;
  const DType type = context.precision.master;
  const auto take = [&](std::string_view label, int64_t rows, int64_t columns) {
    return storage.arena().take(label, type, {rows, columns});
  };
  const bool is_training = context.training.is_training;
  const int64_t parts = storage.max_parts();
  a_ = take("adapters", total_rank, inputs());
  if (is_training) {
    a_gradient_ = take("gradients", total_rank, inputs());
    a_first_ = take("optimizer states", total_rank, inputs());
    a_second_ = take("optimizer states", total_rank, inputs());
    a_partial_ = storage.shared("partial gradients", fmt::format("A{}", number_), type, {parts, total_rank * inputs()});
  }
  for (Adapter& adapter : adapters_) {
    adapter.b = take("adapters", adapter.columns, adapter.rank);
    if (!is_training) continue;
    adapter.b_gradient = take("gradients", adapter.columns, adapter.rank);
    adapter.b_first = take("optimizer states", adapter.columns, adapter.rank);
    adapter.b_second = take("optimizer states", adapter.columns, adapter.rank);
    adapter.b_partial = storage.shared("partial gradients", fmt::format("B{}.{}", number_, adapter.output), type,
                                       {parts, adapter.columns * adapter.rank});
  }
  const std::string name = fmt::format("projection {}", number_);
  u_ = storage.make({.name = name + " u", .dtype = type, .columns = total_rank, .keep = Keep::kAlways});
  if (lora_.dropout > 0 && is_training) {
    dropped_ = storage.make({.name = name + " dropped", .dtype = context.precision.activation, .columns = inputs()});
  }
  if (is_training) {
    du_ = storage.make({.name = name + " du", .dtype = type, .columns = total_rank});
    if (lora_.dropout > 0) {
      dx_dropped_ = storage.make({.name = name + " dx", .dtype = context.precision.activation, .columns = inputs()});
    }
  }
}

Tensor Projection::dropped(const Tensor& x, Part& part) {
  if (lora_.dropout <= 0 || !part.pass().is_training) return x;
  const Tensor y = part.keep(dropped_);
  part.run(Dropout::Forward{.y = y,
                            .x = x,
                            .places = part.of(part.pass().batch().places),
                            .probability = lora_.dropout,
                            .key = part.pass().key().for_use(block_, number_)});
  return y;
}

void Projection::forward(const Tensor& x, const Tensor& y, Part& part) {
  part.run(Linear::Forward{.y = y, .x = x, .weight = weight_, .bias = bias_});
  if (adapters_.empty() || part.pass().adapters_off) return;
  const Tensor u = part.keep(u_);
  part.run(Linear::Forward{.y = u, .x = dropped(x, part), .weight = a_weight(), .bias = {}});
  for (const Adapter& adapter : adapters_) {
    part.run(Linear::Forward{
        .y = y.slice_columns(adapter.first_column, adapter.first_column + adapter.columns),
        .x = u.slice_columns(adapter.first_row, adapter.first_row + adapter.rank),
        .weight =
            {.plain = adapter.b, .forward = {}, .backward = {}, .outputs = adapter.columns, .inputs = adapter.rank},
        .bias = {},
        .alpha = lora_.scale(),
        .accumulate = true});
  }
}

void Projection::backward(const Tensor& dy, const Tensor& x, const Tensor& dx, Accumulate accumulate, Part& part) {
  if (dx.exists()) {
    part.run(
        Linear::BackwardInput{.dx = dx, .dy = dy, .weight = weight_, .accumulate = accumulate == Accumulate::kYes});
  }
  if (adapters_.empty()) return;
  const Tensor u = part.keep(u_);
  const Tensor du = part.keep(du_);
  for (const Adapter& adapter : adapters_) {
    const Tensor dy_part = dy.slice_columns(adapter.first_column, adapter.first_column + adapter.columns);
    const Tensor partial = adapter.b_partial.slice_rows(part.index(), part.index() + 1);
    part.run(Linear::BackwardInput{
        .dx = du.slice_columns(adapter.first_row, adapter.first_row + adapter.rank),
        .dy = dy_part,
        .weight =
            {.plain = adapter.b, .forward = {}, .backward = {}, .outputs = adapter.columns, .inputs = adapter.rank},
        .alpha = lora_.scale()});
    part.run(Linear::BackwardWeight{.dweight = partial.reshape({adapter.columns, adapter.rank}),
                                    .dbias = {},
                                    .dy = dy_part,
                                    .x = u.slice_columns(adapter.first_row, adapter.first_row + adapter.rank),
                                    .alpha = lora_.scale(),
                                    .accumulate = false});
  }
  const Tensor partial = a_partial_.slice_rows(part.index(), part.index() + 1);
  part.run(Linear::BackwardWeight{.dweight = partial.reshape({a_.rows(), inputs()}),
                                  .dbias = {},
                                  .dy = du,
                                  .x = dropped(x, part),
                                  .accumulate = false});
  if (!dx.exists()) return;
  if (lora_.dropout <= 0) {
    part.run(Linear::BackwardInput{.dx = dx, .dy = du, .weight = a_weight(), .accumulate = true});
    return;
  }
  const Tensor dx_dropped = part.keep(dx_dropped_);
  part.run(Linear::BackwardInput{.dx = dx_dropped, .dy = du, .weight = a_weight()});
  part.run(Dropout::Forward{.y = dx,
                            .x = dx_dropped,
                            .places = part.of(part.pass().batch().places),
                            .probability = lora_.dropout,
                            .key = part.pass().key().for_use(block_, number_),
                            .accumulate = true});
}

void Projection::weight_gradient(const Tensor& dy, const Tensor& x, Pass& pass) {
  if (!trains_weight()) return;
  pass.run(Linear::BackwardWeight{.dweight = weight_gradient_,
                                  .dbias = bias_gradient_,
                                  .dy = dy.slice_rows(0, pass.tokens()),
                                  .x = x.slice_rows(0, pass.tokens())});
}

void Projection::finish(Pass& pass) {
  if (adapters_.empty()) return;
  const auto add = [&](const Tensor& gradient, const Tensor& partial) {
    pass.run(SumParts::Forward{.out = gradient.reshape({gradient.elements()}),
                               .parts = partial.slice_rows(0, pass.parts())});
  };
  add(a_gradient_, a_partial_);
  for (const Adapter& adapter : adapters_) add(adapter.b_gradient, adapter.b_partial);
}

void Projection::parameters(ParameterList& list) {
  int64_t first = 0;
  for (const ProjectionOutput& output : outputs_) {
    const int64_t last = first + output.columns;
    const auto rows = [&](const Tensor& tensor) { return tensor.exists() ? tensor.slice_rows(first, last) : Tensor(); };
    list.push_back({.name = output.module + ".weight",
                    .shape = {output.columns, inputs()},
                    .value = rows(master_),
                    .copy = has_separate_copy_ ? rows(weight_.plain) : Tensor(),
                    .gradient = rows(weight_gradient_),
                    .first_moment = rows(weight_first_),
                    .second_moment = rows(weight_second_)});
    if (output.has_bias) {
      list.push_back({.name = output.module + ".bias",
                      .shape = {output.columns},
                      .value = rows(bias_),
                      .copy = {},
                      .gradient = rows(bias_gradient_),
                      .first_moment = rows(bias_first_),
                      .second_moment = rows(bias_second_),
                      .is_norm = true});
    }
    first = last;
  }
  for (const Adapter& adapter : adapters_) {
    const std::string name = "base_model.model." + outputs_[adapter.output].module;
    const auto rows = [&](const Tensor& tensor) {
      return tensor.exists() ? tensor.slice_rows(adapter.first_row, adapter.first_row + adapter.rank) : Tensor();
    };
    list.push_back({.name = name + ".lora_A.weight",
                    .shape = {adapter.rank, inputs()},
                    .value = rows(a_),
                    .copy = {},
                    .gradient = rows(a_gradient_),
                    .first_moment = rows(a_first_),
                    .second_moment = rows(a_second_),
                    .is_adapter = true});
    list.push_back({.name = name + ".lora_B.weight",
                    .shape = {adapter.columns, adapter.rank},
                    .value = adapter.b,
                    .copy = {},
                    .gradient = adapter.b_gradient,
                    .first_moment = adapter.b_first,
                    .second_moment = adapter.b_second,
                    .is_adapter = true});
  }
}

void Projection::prepare(Backend& backend) {
  if (weight_.forward.exists() || weight_.backward.exists()) backend.pack(weight_, master_);
}

}  // namespace anneal::engine
