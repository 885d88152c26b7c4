#pragma once
// Every op of the engine. A new op is its folder under kernels/ops and its lines here: one for each argument struct,
// and one that pairs the gradient (or says that there is none).

#include <string_view>
#include <type_traits>

#include "kernels/ops/adamw/adamw.h"
#include "kernels/ops/attention/attention.h"
#include "kernels/ops/cached_attention/cached_attention.h"
#include "kernels/ops/convert/convert.h"
#include "kernels/ops/dropout/dropout.h"
#include "kernels/ops/embedding/embedding.h"
#include "kernels/ops/fill/fill.h"
#include "kernels/ops/gated_activation/gated_activation.h"
#include "kernels/ops/linear/linear.h"
#include "kernels/ops/linear_cross_entropy/linear_cross_entropy.h"
#include "kernels/ops/rms_norm/rms_norm.h"
#include "kernels/ops/rope/rope.h"
#include "kernels/ops/squared_norm/squared_norm.h"
#include "kernels/ops/sum_parts/sum_parts.h"

// X(argument struct, what is its gradient)
#define ANNEAL_FOR_EACH_OP(X)                                       \
  X(RmsNorm::Forward, "RmsNorm::Backward")                          \
  X(RmsNorm::Backward, "")                                          \
  X(Rope::Forward, "Rope::Backward")                                \
  X(Rope::Backward, "")                                             \
  X(GatedActivation::Forward, "GatedActivation::Backward")          \
  X(GatedActivation::Backward, "")                                  \
  X(Linear::Forward, "Linear::BackwardInput, Linear::BackwardWeight") \
  X(Linear::BackwardInput, "")                                      \
  X(Linear::BackwardWeight, "")                                     \
  X(Embedding::Forward, "Embedding::Backward")                      \
  X(Embedding::Backward, "")                                        \
  X(Attention::Forward, "Attention::Backward")                      \
  X(Attention::Backward, "")                                        \
  X(CachedAttention::Forward, "none: generating text")              \
  X(LinearCrossEntropy::Forward, "LinearCrossEntropy::ForwardBackward") \
  X(LinearCrossEntropy::ForwardBackward, "")                        \
  X(Dropout::Forward, "itself, on the gradient")                    \
  X(Convert::Forward, "none: a change of type")                     \
  X(SumParts::Forward, "none: adds gradients")                      \
  X(SquaredNorm::Forward, "none: measures gradients")               \
  X(AdamW::Update, "none: the optimizer")                           \
  X(Fill::Forward, "none: clears memory")

namespace anneal {

#define ANNEAL_COUNT_OP(Args, gradient) +1
constexpr int kOpCount = 0 ANNEAL_FOR_EACH_OP(ANNEAL_COUNT_OP);
#undef ANNEAL_COUNT_OP

namespace op_detail {
template <class Wanted>
constexpr int index_of() {
  int index = 0;
  int found = -1;
#define ANNEAL_MATCH_OP(Args, gradient)            \
  if (std::is_same_v<Wanted, Args>) found = index; \
  ++index;
  ANNEAL_FOR_EACH_OP(ANNEAL_MATCH_OP)
#undef ANNEAL_MATCH_OP
  return found;
}
}  // namespace op_detail

// The place of an op in a backend's table; -1 for what is no op (does not compile in Backend::run).
template <class Args>
constexpr int kOpIndex = op_detail::index_of<Args>();

std::string_view op_name(int index);                // "RmsNorm::Forward"
double operations_of(int index, const void* args);  // multiplications and additions of products; 0 where memory-bound

}  // namespace anneal
