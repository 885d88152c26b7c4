#include "kernels/reference/elements.h"
#include "kernels/reference/reference.h"

namespace anneal::reference {

void run(const AdamW::Update& args) {
  const auto step = static_cast<double>(args.step);
  const double step_size = args.learning_rate / (1.0 - std::pow(args.beta1, step));
  const double second_correction = std::sqrt(1.0 - std::pow(args.beta2, step));
  for (int64_t i = 0; i < args.parameter.rows(); ++i) {
    const double gradient = args.gradient_scale * get(args.gradient, i);
    const double first = args.beta1 * get(args.first_moment, i) + (1.0 - args.beta1) * gradient;
    const double second = args.beta2 * get(args.second_moment, i) + (1.0 - args.beta2) * gradient * gradient;
    const double decayed = get(args.parameter, i) * (1.0 - args.learning_rate * args.weight_decay);
    put(args.first_moment, i, first);
    put(args.second_moment, i, second);
    put(args.parameter, i, decayed - step_size * first / (std::sqrt(second) / second_correction + args.epsilon));
    // The copy is what the products read: BF16 values, also where they are held as FP32.
    if (args.copy.exists()) put(args.copy, i, widened(rounded_to<BFloat16>(get(args.parameter, i))));
  }
}

}  // namespace anneal::reference
