#include "engine/blocks/norm.h"

namespace anneal::engine {

Norm::Norm(const Projection::Context& context, uint64_t number, std::string name, int64_t width, double epsilon)
    : name_(std::move(name)), epsilon_(epsilon) {
  const DType type = context.precision.master;
  Arena& arena = context.storage.arena();
  weight_ = arena.take("weights", type, {width});
  if (!context.training.trains_weights) return;
  gradient_ = arena.take("gradients", type, {width});
  first_ = arena.take("optimizer states", type, {width});
  second_ = arena.take("optimizer states", type, {width});
  partial_ = context.storage.shared("partial gradients", fmt::format("norm {}", number), type,
                                    {context.storage.max_parts(), width});
}

void Norm::forward(const Tensor& y, const Tensor& inv_rms, const Tensor& sum, const Tensor& x, const Tensor& pending,
                   Part& part) const {
  part.run(RmsNorm::Forward{.y = y,
                            .inv_rms = inv_rms.reshape({inv_rms.rows()}),
                            .sum = sum,
                            .x = x,
                            .pending = pending,
                            .weight = weight_,
                            .epsilon = epsilon_});
}

void Norm::backward(const Tensor& dx, const Tensor& dy, const Tensor& x, const Tensor& inv_rms, Part& part) const {
  const Tensor dweight =
      is_trained() ? partial_.slice_rows(part.index(), part.index() + 1).reshape({weight_.rows()}) : Tensor();
  part.run(RmsNorm::Backward{
      .dx = dx, .dweight = dweight, .dy = dy, .x = x, .inv_rms = inv_rms.reshape({inv_rms.rows()}), .weight = weight_});
}

void Norm::finish(Pass& pass) {
  if (!is_trained()) return;
  pass.run(SumParts::Forward{.out = gradient_, .parts = partial_.slice_rows(0, pass.parts())});
}

void Norm::parameters(ParameterList& list) {
  list.push_back({.name = name_ + ".weight",
                  .shape = {weight_.rows()},
                  .value = weight_,
                  .copy = {},
                  .gradient = gradient_,
                  .first_moment = first_,
                  .second_moment = second_,
                  .is_norm = true});
}

}  // namespace anneal::engine
