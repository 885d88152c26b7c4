#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/ops/rms_norm/rms_norm.cpu.cpp"
#include "kernels/cpu/targets.h"
// what follows is compiled for each instruction set
#include "kernels/cpu/element_types.h"
#include "kernels/cpu/split.h"
#include "kernels/cpu/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace anneal::cpu::HWY_NAMESPACE {

// Σ over a row's vectors of what body(i, n) adds to `sum`, in four partial sums so that no addition waits for the last.
template <class Body>
HWY_INLINE float sum_of(size_t columns, Body body) {
  Vector sums[4] = {hn::Zero(Floats()), hn::Zero(Floats()), hn::Zero(Floats()), hn::Zero(Floats())};
  const size_t step = lanes();
  size_t i = 0;
  for (; i + 4 * step <= columns; i += 4 * step) {
    for (size_t k = 0; k < 4; ++k) sums[k] = body(i + k * step, step, sums[k]);
  }
  for (; i < columns; i += step) sums[0] = body(i, std::min(step, columns - i), sums[0]);
  return hn::GetLane(hn::SumOfLanes(Floats(), hn::Add(hn::Add(sums[0], sums[1]), hn::Add(sums[2], sums[3]))));
}

template <class X, class P>
float add_pending(X* sum, const X* x, const P* pending, size_t columns) {
  return sum_of(columns, [=](size_t i, size_t n, Vector squares) ANNEAL_INLINE {
    auto value = load(x + i, n);
    if (pending != nullptr) value = hn::Add(value, load(pending + i, n));
    value = rounded_like(value, x);
    store(value, sum + i, n);
    return hn::MulAdd(value, value, squares);
  });
}

template <class X>
float squares_of(const X* x, size_t columns) {
  return sum_of(columns, [=](size_t i, size_t n, Vector squares) ANNEAL_INLINE {
    const auto value = load(x + i, n);
    return hn::MulAdd(value, value, squares);
  });
}

template <class Y, class X>
void scale_row(Y* y, const X* x, float inv_rms, const RmsNorm::Forward& args) {
  const float* weight = f32(args.weight);
  const auto factor = hn::Set(Floats(), inv_rms);
  const auto offset = hn::Set(Floats(), static_cast<float>(args.weight_offset));
  for_each_vector(static_cast<size_t>(args.x.columns()), [=](size_t i, size_t n) ANNEAL_INLINE {
    const auto scale = hn::Add(load(weight + i, n), offset);
    store(hn::Mul(hn::Mul(load(x + i, n), factor), scale), y + i, n);
  });
}

void rms_norm_forward(const RmsNorm::Forward& args, int64_t begin, int64_t end) {
  const auto columns = static_cast<size_t>(args.x.columns());
  float* inv_rms = f32(args.inv_rms);
  const Tensor& normed = args.sum.exists() ? args.sum : args.x;
  dispatch_f32_bf16(args.x.dtype(), [&](auto x_type) {
    using X = decltype(x_type);
    for (int64_t row = begin; row < end; ++row) {
      const X* x = row_of<X>(args.x, row);
      float squares = 0;
      if (!args.sum.exists()) {
        squares = squares_of(x, columns);
      } else {
        X* sum = row_of<X>(args.sum, row);
        const DType pending_type = args.pending.exists() ? args.pending.dtype() : DType::kF32;
        squares = dispatch_f32_bf16(pending_type, [&](auto type) {
          using P = decltype(type);
          const P* pending = args.pending.exists() ? row_of<P>(args.pending, row) : nullptr;
          return add_pending(sum, x, pending, columns);
        });
      }
      const double mean = static_cast<double>(squares) / static_cast<double>(columns);
      inv_rms[row] = static_cast<float>(1.0 / std::sqrt(mean + args.epsilon));
      dispatch_f32_bf16(args.y.dtype(), [&](auto type) {
        using Y = decltype(type);
        scale_row(row_of<Y>(args.y, row), row_of<X>(normed, row), inv_rms[row], args);
      });
    }
  });
}

template <class X, class Y>
void input_gradient(X* dx, const Y* dy, const X* x, float inv_rms, const RmsNorm::Backward& args) {
  const auto columns = static_cast<size_t>(args.x.columns());
  const float* weight = f32(args.weight);
  const auto offset = hn::Set(Floats(), static_cast<float>(args.weight_offset));
  const float dot = sum_of(columns, [=](size_t i, size_t n, Vector sum) ANNEAL_INLINE {
    const auto scaled = hn::Mul(load(dy + i, n), hn::Add(load(weight + i, n), offset));
    return hn::MulAdd(scaled, load(x + i, n), sum);
  });
  const auto mean = hn::Set(Floats(), dot * inv_rms * inv_rms / static_cast<float>(columns));
  const auto factor = hn::Set(Floats(), inv_rms);
  for_each_vector(columns, [=, accumulate = args.accumulate](size_t i, size_t n) ANNEAL_INLINE {
    const auto scaled = hn::Mul(load(dy + i, n), hn::Add(load(weight + i, n), offset));
    const auto inner = hn::NegMulAdd(load(x + i, n), mean, scaled);
    const auto before = accumulate ? load(dx + i, n) : hn::Zero(Floats());
    store(hn::MulAdd(inner, factor, before), dx + i, n);
  });
}

void rms_norm_input_gradient(const RmsNorm::Backward& args, int64_t begin, int64_t end) {
  const float* inv_rms = f32(args.inv_rms);
  dispatch_f32_bf16(args.x.dtype(), [&](auto x_type) {
    dispatch_f32_bf16(args.dy.dtype(), [&](auto y_type) {
      using X = decltype(x_type);
      using Y = decltype(y_type);
      for (int64_t row = begin; row < end; ++row) {
        input_gradient(row_of<X>(args.dx, row), row_of<Y>(args.dy, row), row_of<X>(args.x, row), inv_rms[row], args);
      }
    });
  });
}

// Adds the rows [begin, end) to columns [first, last) of dweight, row after row: the same bits however rows are blocked
// and columns are split.
void rms_norm_weight_gradient(const RmsNorm::Backward& args, int64_t begin, int64_t end, int64_t first, int64_t last) {
  const float* inv_rms = f32(args.inv_rms);
  float* dweight = f32(args.dweight) + first;
  dispatch_f32_bf16(args.x.dtype(), [&](auto x_type) {
    dispatch_f32_bf16(args.dy.dtype(), [&](auto y_type) {
      using X = decltype(x_type);
      using Y = decltype(y_type);
      for_each_vector(static_cast<size_t>(last - first), [&](size_t i, size_t n) ANNEAL_INLINE {
        auto sum = load(dweight + i, n);
        for (int64_t row = begin; row < end; ++row) {
          const auto normed = hn::Mul(load(row_of<X>(args.x, row) + first + i, n), hn::Set(Floats(), inv_rms[row]));
          sum = hn::MulAdd(load(row_of<Y>(args.dy, row) + first + i, n), normed, sum);
        }
        store(sum, dweight + i, n);
      });
    });
  });
}

}  // namespace anneal::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace anneal::cpu {

HWY_EXPORT(rms_norm_forward);
HWY_EXPORT(rms_norm_input_gradient);
HWY_EXPORT(rms_norm_weight_gradient);

namespace {
// Few enough rows that dy and x are still in the first-level cache when dweight reads them.
constexpr int64_t kBlockRows = 8;
constexpr int64_t kCacheLineFloats = 16;
}  // namespace

void run(const RmsNorm::Forward& args, Worker worker) {
  ensure(args.sum.exists() || !args.pending.exists(), "rms_norm adds a pending tensor but has no place for the sum");
  split(worker, args.x.rows(), grain_for(worker, args.x.rows(), kBlockRows),
        [&](int64_t begin, int64_t end) { HWY_DYNAMIC_DISPATCH(rms_norm_forward)(args, begin, end); });
}

void run(const RmsNorm::Backward& args, Worker worker) {
  const int64_t rows = args.x.rows();
  const int64_t columns = args.x.columns();
  if (args.dweight.exists()) std::fill_n(f32(args.dweight), columns, 0.0f);
  if (!args.dweight.exists() || worker.is_whole()) {
    if (args.dweight.exists()) {
      split(worker, columns, grain_for(worker, columns, kCacheLineFloats), [&](int64_t first, int64_t last) {
        HWY_DYNAMIC_DISPATCH(rms_norm_weight_gradient)(args, 0, rows, first, last);
      });
    }
    split(worker, rows, grain_for(worker, rows, kBlockRows),
          [&](int64_t begin, int64_t end) { HWY_DYNAMIC_DISPATCH(rms_norm_input_gradient)(args, begin, end); });
    return;
  }
  for (int64_t begin = 0; begin < rows; begin += kBlockRows) {
    const int64_t end = std::min(rows, begin + kBlockRows);
    HWY_DYNAMIC_DISPATCH(rms_norm_weight_gradient)(args, begin, end, 0, columns);
    HWY_DYNAMIC_DISPATCH(rms_norm_input_gradient)(args, begin, end);
  }
}

}  // namespace anneal::cpu
#endif
