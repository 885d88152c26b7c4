#include "kernels/ops/linear_cross_entropy/linear_cross_entropy.h"

#include <algorithm>
#include <cmath>

#include "kernels/reference/elements.h"
#include "kernels/reference/reference.h"

namespace anneal::reference {
namespace {

// The head of a model: its weight, what is done to the logits, and the logits of the row at hand.
struct Head {
  std::vector<double> weight;  // (vocabulary, width)
  int64_t vocabulary = 0;
  int64_t width = 0;
  double scale = 1;
  double soft_cap = 0;
  std::vector<double> logits{};  // (vocabulary)
  double log_sum = 0;            // log Σ exp(logits)

  // Fills logits and log_sum; returns the loss of the row.
  double forward(const double* hidden, int32_t target) {
    ensure(target >= 0 && target < vocabulary, "a target outside the vocabulary");
    logits.assign(static_cast<std::size_t>(vocabulary), 0.0);
    for (int64_t v = 0; v < vocabulary; ++v) {
      double logit = 0;
      for (int64_t c = 0; c < width; ++c) logit += hidden[c] * weight[static_cast<std::size_t>(v * width + c)];
      logit *= scale;
      logits[static_cast<std::size_t>(v)] = soft_cap > 0 ? soft_cap * std::tanh(logit / soft_cap) : logit;
    }
    const double largest = *std::max_element(logits.begin(), logits.end());
    double sum = 0;
    for (const double logit : logits) sum += std::exp(logit - largest);
    log_sum = largest + std::log(sum);
    return log_sum - logits[static_cast<std::size_t>(target)];
  }

  // d loss / d (hidden Wᵀ)_v, before it is weighted by the row.
  double slope(int64_t v, int32_t target) const {
    const double logit = logits[static_cast<std::size_t>(v)];
    const double ratio = soft_cap > 0 ? logit / soft_cap : 0;
    return (std::exp(logit - log_sum) - (v == target ? 1 : 0)) * (1 - ratio * ratio) * scale;
  }
};

template <class Args>
Head head_of(const Args& args) {
  return {.weight = all_of(args.weight.plain),
          .vocabulary = args.weight.outputs,
          .width = args.weight.inputs,
          .scale = args.logit_scale,
          .soft_cap = args.soft_cap};
}

}  // namespace

void run(const LinearCrossEntropy::Forward& args) {
  Head head = head_of(args);
  const std::vector<double> hidden = all_of(args.hidden);
  const auto* targets = args.targets.as<int32_t>();
  std::vector<double> row_loss(static_cast<std::size_t>(args.hidden.rows()));
  for (int64_t row = 0; row < args.hidden.rows(); ++row) {
    if (targets[row] == kNoTarget) continue;
    row_loss[static_cast<std::size_t>(row)] = head.forward(hidden.data() + row * head.width, targets[row]);
  }
  put_all(args.row_loss, row_loss);
}

void run(const LinearCrossEntropy::ForwardBackward& args) {
  Head head = head_of(args);
  const std::vector<double> hidden = all_of(args.hidden), row_weight = all_of(args.row_weight);
  const auto* targets = args.targets.as<int32_t>();
  std::vector<double> row_loss(row_weight.size()), dhidden(hidden.size()), dweight = all_of(args.dweight);
  for (int64_t row = 0; row < args.hidden.rows(); ++row) {
    if (targets[row] == kNoTarget) continue;
    const double* x = hidden.data() + row * head.width;
    double* dx = dhidden.data() + row * head.width;
    row_loss[static_cast<std::size_t>(row)] = head.forward(x, targets[row]);
    for (int64_t v = 0; v < head.vocabulary; ++v) {
      const double slope = row_weight[static_cast<std::size_t>(row)] * head.slope(v, targets[row]);
      const double* w = head.weight.data() + v * head.width;
      for (int64_t c = 0; c < head.width; ++c) dx[c] += slope * w[c];
      if (dweight.empty()) continue;
      for (int64_t c = 0; c < head.width; ++c) dweight[static_cast<std::size_t>(v * head.width + c)] += slope * x[c];
    }
  }
  put_all(args.row_loss, row_loss);
  put_all(args.dhidden, dhidden);
  if (args.dweight.exists()) put_all(args.dweight, dweight);
}

}  // namespace anneal::reference
