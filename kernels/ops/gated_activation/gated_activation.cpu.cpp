#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/ops/gated_activation/gated_activation.cpu.cpp"
#include "kernels/cpu/targets.h"
// what follows is compiled for each instruction set
#include "kernels/cpu/element_types.h"
#include "kernels/cpu/split.h"
#include "kernels/cpu/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace anneal::cpu::HWY_NAMESPACE {

struct Activated {
  Vector value;  // f(x)
  Vector slope;  // f'(x)
};

// Both functions are x · sigmoid(v): v = x for SiLU; for GELU, since (1 + tanh u) / 2 = sigmoid(2u), v = 2u. Then
// f' = sigmoid(v) · (1 + x · (1 − sigmoid(v)) · v').
template <Activation activation>
HWY_INLINE Activated activate(Vector x) {
  const Floats d;
  const auto one = hn::Set(d, 1.0f);
  auto inner = x;
  auto inner_slope = one;
  if constexpr (activation == Activation::kGeluTanh) {
    const auto factor = hn::Set(d, 1.59576912f);  // 2 sqrt(2 / pi)
    const auto cubic = hn::Set(d, 1.59576912f * 0.044715f);
    const auto square = hn::Mul(x, x);
    inner = hn::Mul(x, hn::MulAdd(square, cubic, factor));
    inner_slope = hn::MulAdd(square, hn::Set(d, 3.0f * 1.59576912f * 0.044715f), factor);
  }
  const Sigmoid s = sigmoid(inner);
  const auto bend = hn::Mul(hn::Mul(x, s.complement), inner_slope);
  return {hn::Mul(x, s.value), hn::MulAdd(s.value, bend, s.value)};
}

template <Activation activation, class T>
void forward_row(T* y, const T* gate, const T* up, size_t width) {
  for_each_vector(width, [=](size_t i, size_t n) ANNEAL_INLINE {
    store(hn::Mul(activate<activation>(load(gate + i, n)).value, load(up + i, n)), y + i, n);
  });
}

// dgate and dup may be gate and up: each vector is read before it is written.
template <Activation activation, class T>
void backward_row(T* dgate_up, const T* dy_row, const T* gate_up, size_t width) {
  for_each_vector(width, [=](size_t i, size_t n) ANNEAL_INLINE {
    const Activated gate = activate<activation>(load(gate_up + i, n));
    const auto up = load(gate_up + width + i, n);
    const auto dy = load(dy_row + i, n);
    store(hn::Mul(hn::Mul(dy, up), gate.slope), dgate_up + i, n);
    store(hn::Mul(dy, gate.value), dgate_up + width + i, n);
  });
}

template <Activation activation, class T>
void forward_rows(const GatedActivation::Forward& args, int64_t begin, int64_t end) {
  const auto width = static_cast<size_t>(args.y.columns());
  for (int64_t row = begin; row < end; ++row) {
    const T* gate_up = row_of<T>(args.gate_up, row);
    forward_row<activation>(row_of<T>(args.y, row), gate_up, gate_up + width, width);
  }
}

template <Activation activation, class T>
void backward_rows(const GatedActivation::Backward& args, int64_t begin, int64_t end) {
  const auto width = static_cast<size_t>(args.dy.columns());
  for (int64_t row = begin; row < end; ++row) {
    backward_row<activation>(row_of<T>(args.dgate_up, row), row_of<T>(args.dy, row), row_of<T>(args.gate_up, row),
                             width);
  }
}

void gated_activation_forward(const GatedActivation::Forward& args, int64_t begin, int64_t end) {
  dispatch_f32_bf16(args.y.dtype(), [&](auto type) {
    using T = decltype(type);
    if (args.activation == Activation::kSilu) {
      forward_rows<Activation::kSilu, T>(args, begin, end);
    } else {
      forward_rows<Activation::kGeluTanh, T>(args, begin, end);
    }
  });
}

void gated_activation_backward(const GatedActivation::Backward& args, int64_t begin, int64_t end) {
  dispatch_f32_bf16(args.dy.dtype(), [&](auto type) {
    using T = decltype(type);
    if (args.activation == Activation::kSilu) {
      backward_rows<Activation::kSilu, T>(args, begin, end);
    } else {
      backward_rows<Activation::kGeluTanh, T>(args, begin, end);
    }
  });
}

}  // namespace anneal::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace anneal::cpu {

HWY_EXPORT(gated_activation_forward);
HWY_EXPORT(gated_activation_backward);

void run(const GatedActivation::Forward& args, Worker worker) {
  ensure(args.gate_up.dtype() == args.y.dtype(), "gated_activation reads and writes one element type");
  ensure(args.gate_up.columns() == 2 * args.y.columns(), "gated_activation wants gate and up side by side");
  split(worker, args.y.rows(), grain_for(worker, args.y.rows(), 1),
        [&](int64_t begin, int64_t end) { HWY_DYNAMIC_DISPATCH(gated_activation_forward)(args, begin, end); });
}

void run(const GatedActivation::Backward& args, Worker worker) {
  ensure(args.gate_up.dtype() == args.dy.dtype() && args.dgate_up.dtype() == args.dy.dtype(),
         "gated_activation reads and writes one element type");
  ensure(args.gate_up.columns() == 2 * args.dy.columns(), "gated_activation wants gate and up side by side");
  split(worker, args.dy.rows(), grain_for(worker, args.dy.rows(), 1),
        [&](int64_t begin, int64_t end) { HWY_DYNAMIC_DISPATCH(gated_activation_backward)(args, begin, end); });
}

}  // namespace anneal::cpu
#endif
