#include <numbers>

#include "kernels/reference/elements.h"
#include "kernels/reference/reference.h"

namespace anneal::reference {
namespace {

struct Activated {
  double value;  // f(x)
  double slope;  // f'(x)
};

Activated activate(Activation activation, double x) {
  if (activation == Activation::kSilu) {
    const double sigmoid = 1.0 / (1.0 + std::exp(-x));
    return {x * sigmoid, sigmoid * (1.0 + x * (1.0 - sigmoid))};
  }
  const double factor = std::sqrt(2.0 / std::numbers::pi);
  const double tangent = std::tanh(factor * (x + 0.044715 * x * x * x));
  const double inner_slope = factor * (1.0 + 3.0 * 0.044715 * x * x);
  return {0.5 * x * (1.0 + tangent), 0.5 * (1.0 + tangent) + 0.5 * x * (1.0 - tangent * tangent) * inner_slope};
}

}  // namespace

void run(const GatedActivation::Forward& args) {
  const int64_t width = args.y.columns();
  for (int64_t i = 0; i < args.y.rows(); ++i) {
    for (int64_t j = 0; j < width; ++j) {
      const double gate = get(args.gate_up, i, j);
      put(args.y, i, j, activate(args.activation, gate).value * get(args.gate_up, i, width + j));
    }
  }
}

void run(const GatedActivation::Backward& args) {
  const int64_t width = args.dy.columns();
  for (int64_t i = 0; i < args.dy.rows(); ++i) {
    for (int64_t j = 0; j < width; ++j) {
      const Activated gate = activate(args.activation, get(args.gate_up, i, j));
      const double up = get(args.gate_up, i, width + j);
      const double dy = get(args.dy, i, j);
      put(args.dgate_up, i, j, dy * up * gate.slope);
      put(args.dgate_up, i, width + j, dy * gate.value);
    }
  }
}

}  // namespace anneal::reference
