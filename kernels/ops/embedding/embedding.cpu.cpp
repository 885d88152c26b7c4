#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/ops/embedding/embedding.cpu.cpp"
#include "kernels/cpu/targets.h"
// what follows is compiled for each instruction set
#include "kernels/cpu/element_types.h"
#include "kernels/cpu/split.h"
#include "kernels/cpu/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace anneal::cpu::HWY_NAMESPACE {

void embedding_forward(const Embedding::Forward& args, int64_t begin, int64_t end) {
  const auto width = static_cast<size_t>(args.y.columns());
  const int32_t* ids = args.ids.as<int32_t>();
  const auto scale = hn::Set(Floats(), static_cast<float>(args.scale));
  dispatch_f32_bf16(args.y.dtype(), [&](auto y_type) {
    dispatch_f32_bf16(args.table.dtype(), [&](auto table_type) {
      using Y = decltype(y_type);
      using T = decltype(table_type);
      for (int64_t row = begin; row < end; ++row) {
        Y* y = row_of<Y>(args.y, row);
        const T* from = row_of<T>(args.table, ids[row]);
        for_each_vector(width,
                        [&](size_t i, size_t n) ANNEAL_INLINE { store(hn::Mul(load(from + i, n), scale), y + i, n); });
      }
    });
  });
}

// Columns [first, last) of every row, in the rows' order.
void embedding_backward(const Embedding::Backward& args, int64_t first, int64_t last) {
  const auto width = static_cast<size_t>(last - first);
  const int32_t* ids = args.ids.as<int32_t>();
  const auto scale = hn::Set(Floats(), static_cast<float>(args.scale));
  dispatch_f32_bf16(args.dy.dtype(), [&](auto type) {
    using T = decltype(type);
    for (int64_t row = 0; row < args.dy.rows(); ++row) {
      float* to = row_of<float>(args.dtable, ids[row]) + first;
      const T* dy = row_of<T>(args.dy, row) + first;
      for_each_vector(width, [&](size_t i, size_t n) ANNEAL_INLINE {
        store(hn::MulAdd(load(dy + i, n), scale, load(to + i, n)), to + i, n);
      });
    }
  });
}

}  // namespace anneal::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace anneal::cpu {

HWY_EXPORT(embedding_forward);
HWY_EXPORT(embedding_backward);

namespace {
void check_ids(const Tensor& ids, int64_t rows, int64_t vocabulary) {
  const int32_t* values = ids.as<int32_t>();
  for (int64_t row = 0; row < rows; ++row) {
    ensure(values[row] >= 0 && values[row] < vocabulary, "token id outside the embedding table");
  }
}
}  // namespace

void run(const Embedding::Forward& args, Worker worker) {
  check_ids(args.ids, args.y.rows(), args.table.rows());
  split(worker, args.y.rows(), grain_for(worker, args.y.rows(), 8),
        [&](int64_t begin, int64_t end) { HWY_DYNAMIC_DISPATCH(embedding_forward)(args, begin, end); });
}

// Split by columns, so that the order of a row's additions is the order of the tokens for every thread count.
void run(const Embedding::Backward& args, Worker worker) {
  check_ids(args.ids, args.dy.rows(), args.dtable.rows());
  ensure(args.dtable.dtype() == DType::kF32, "the embedding's gradient is summed in F32");
  constexpr int64_t kCacheLineFloats = 16;
  const int64_t width = args.dy.columns();
  split(worker, width, grain_for(worker, width, kCacheLineFloats),
        [&](int64_t first, int64_t last) { HWY_DYNAMIC_DISPATCH(embedding_backward)(args, first, last); });
}

}  // namespace anneal::cpu
#endif
