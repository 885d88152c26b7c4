#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/ops/linear/linear.cpu.cpp"
#include "kernels/cpu/targets.h"
// what follows is compiled for each instruction set
#include "kernels/cpu/element_types.h"
#include "kernels/cpu/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace anneal::cpu::HWY_NAMESPACE {

// y = [y +] sums [+ bias], rounded once. `sums` and y may be the same memory where y is F32.
void finish_tile(const Tensor& y, const Tensor& sums, const Tensor& bias, bool accumulate) {
  const float* added = f32(bias);
  dispatch_f32_bf16(y.dtype(), [&](auto type) {
    using Y = decltype(type);
    for (int64_t row = 0; row < y.rows(); ++row) {
      Y* to = row_of<Y>(y, row);
      const float* from = row_of<float>(sums, row);
      for_each_vector(static_cast<size_t>(y.columns()), [&](size_t i, size_t n) {
        auto value = load(from + i, n);
        if (added != nullptr) value = hn::Add(value, load(added + i, n));
        if (accumulate) value = hn::Add(value, load(to + i, n));
        store(value, to + i, n);
      });
    }
  });
}

// dbias = [dbias +] Σ_rows dy for a range of columns. Blocks of rows are summed on their own: the error of a sum of n
// numbers grows with the length of the chain.
void sum_rows(const Tensor& dbias, const Tensor& dy, bool accumulate) {
  constexpr int64_t kBlockRows = 256;
  float* sums = f32(dbias);
  dispatch_f32_bf16(dy.dtype(), [&](auto type) {
    using T = decltype(type);
    for_each_vector(static_cast<size_t>(dy.columns()), [&](size_t i, size_t n) {
      auto total = accumulate ? load(sums + i, n) : hn::Zero(Floats());
      for (int64_t begin = 0; begin < dy.rows(); begin += kBlockRows) {
        auto sum = hn::Zero(Floats());
        const int64_t end = std::min(dy.rows(), begin + kBlockRows);
        for (int64_t row = begin; row < end; ++row) sum = hn::Add(sum, load(row_of<T>(dy, row) + i, n));
        total = hn::Add(total, sum);
      }
      store(total, sums + i, n);
    });
  });
}

}  // namespace anneal::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <omp.h>

#include <exception>

#include "kernels/cpu/product.h"
#include "kernels/cpu/split.h"
#include "kernels/ops/linear/tiles.h"

namespace anneal::cpu {

HWY_EXPORT(finish_tile);
HWY_EXPORT(sum_rows);

namespace {

// A stretch of the inner dimension that is widened from BF16 at once: its values are still in the second-level cache
// when the product reads them.
constexpr int64_t kInnerBlock = 1024;
constexpr TileSize kLargestTile{256, 512};
constexpr TileSize kSmallestTile{64, 192};
// Of a weight's gradient; the narrow side is the one that is copied.
constexpr TileSize kLargestGradientTile{192, 576};
constexpr TileSize kSmallestGradientTile{64, 192};
constexpr int64_t kGradientRows = 256;

bool is_f32(const Tensor& tensor) { return tensor.dtype() == DType::kF32; }

// One thread's scratch, cut in order.
class Scratch {
 public:
  Scratch(const Worker& worker, int thread, int64_t bytes)
      : worker_{worker.team, thread}, next_(bytes > 0 ? worker.team.scratch_of(thread, bytes) : nullptr) {}

  // The block of `tensor` as floats: itself, or widened into scratch.
  Tensor widened(const Tensor& tensor, Range rows, Range columns) {
    const Tensor block = tensor.slice_rows(rows.begin, rows.end).slice_columns(columns.begin, columns.end);
    return is_f32(tensor) ? block : copied(block);
  }
  Tensor copied(const Tensor& block) {
    const Tensor dense = take(block.rows(), block.columns());
    run(Convert::Forward{.out = dense, .in = block}, worker_);
    return dense;
  }
  Tensor take(int64_t rows, int64_t columns) {
    const Tensor tensor(next_, DType::kF32, {rows, columns});
    next_ += bytes_of(rows, columns);
    return tensor;
  }
  static int64_t bytes_of(int64_t rows, int64_t columns) {
    const int64_t bytes = rows * columns * size_of(DType::kF32);
    return (bytes + Arena::kAlignment - 1) / Arena::kAlignment * Arena::kAlignment;
  }
  std::byte* position() const { return next_; }
  void rewind(std::byte* position) { next_ = position; }

 private:
  Worker worker_;
  std::byte* next_;
};

Operand operand(const Tensor& floats, bool is_transposed = false) {
  return {f32(floats), floats.stride(), is_transposed};
}

// Forward and BackwardInput: y = [y +] alpha · x W' [+ bias], W' the weight, transposed in Forward.
struct RowProduct {
  Tensor y, x, weight, bias;
  float alpha;
  bool accumulate;
  bool is_transposed;
  int64_t inner() const { return x.columns(); }
  int64_t inner_block() const { return is_f32(x) && is_f32(weight) ? inner() : std::min(inner(), kInnerBlock); }
  TileSize tiles() const { return tile_size(y.rows(), y.columns(), kLargestTile, kSmallestTile); }
};

RowProduct row_product(const Linear::Forward& args) {
  return {.y = args.y,
          .x = args.x,
          .weight = args.weight.plain,
          .bias = args.bias,
          .alpha = static_cast<float>(args.alpha),
          .accumulate = args.accumulate,
          .is_transposed = true};
}
RowProduct row_product(const Linear::BackwardInput& args) {
  return {.y = args.dx,
          .x = args.dy,
          .weight = args.weight.plain,
          .bias = {},
          .alpha = static_cast<float>(args.alpha),
          .accumulate = args.accumulate,
          .is_transposed = false};
}

int64_t scratch_of_tile(const RowProduct& p) {
  const int64_t rows = std::min(p.y.rows(), kLargestTile.rows);
  const int64_t columns = std::min(p.y.columns(), kLargestTile.columns);
  return (is_f32(p.y) ? 0 : Scratch::bytes_of(rows, columns)) +
         (is_f32(p.x) ? 0 : Scratch::bytes_of(rows, p.inner_block())) +
         (is_f32(p.weight) ? 0 : Scratch::bytes_of(columns, p.inner_block()));
}

void multiply_tile(const RowProduct& p, Range rows, Range columns, Scratch scratch) {
  const Tensor y = p.y.slice_rows(rows.begin, rows.end).slice_columns(columns.begin, columns.end);
  const bool is_direct = is_f32(y);
  const Tensor sums = is_direct ? y : scratch.take(rows.size(), columns.size());
  std::byte* const free = scratch.position();
  for (int64_t begin = 0; begin < p.inner(); begin += p.inner_block()) {
    scratch.rewind(free);
    const Range inner{begin, std::min(p.inner(), begin + p.inner_block())};
    const Tensor x = scratch.widened(p.x, rows, inner);
    const Tensor weight =
        p.is_transposed ? scratch.widened(p.weight, columns, inner) : scratch.widened(p.weight, inner, columns);
    multiply({.a = operand(x),
              .b = operand(weight, p.is_transposed),
              .c = f32(sums),
              .c_stride = sums.stride(),
              .rows = rows.size(),
              .columns = columns.size(),
              .inner = inner.size(),
              .alpha = p.alpha,
              .accumulate = begin > 0 || (is_direct && p.accumulate)});
  }
  if (is_direct && !p.bias.exists()) return;
  const Tensor bias = p.bias.exists() ? Tensor(f32(p.bias) + columns.begin, DType::kF32, {columns.size()}) : Tensor();
  HWY_DYNAMIC_DISPATCH(finish_tile)(y, sums, bias, p.accumulate && !is_direct);
}

// Calls body(rows, columns, thread) for every tile: on the team where the op is whole, else here one by one.
template <class Body>
void for_each_tile(const Worker& worker, int64_t rows, int64_t columns, TileSize tile, const Body& body) {
  const int64_t across = (columns + tile.columns - 1) / tile.columns;
  const int64_t count = ((rows + tile.rows - 1) / tile.rows) * across;
  const auto run_tile = [&](int64_t index, int thread) {
    const int64_t row = index / across * tile.rows;
    const int64_t column = index % across * tile.columns;
    body(Range{row, std::min(rows, row + tile.rows)}, Range{column, std::min(columns, column + tile.columns)}, thread);
  };
  if (!worker.is_whole() || worker.team.threads == 1 || count == 1) {
    for (int64_t index = 0; index < count; ++index) run_tile(index, worker.is_whole() ? 0 : worker.thread);
    return;
  }
  std::exception_ptr failure;
#pragma omp parallel for schedule(dynamic, 1) num_threads(worker.team.threads)
  for (int64_t index = 0; index < count; ++index) {
    try {
      run_tile(index, omp_get_thread_num());
    } catch (...) {
#pragma omp critical(anneal_product_failed)
      failure = std::current_exception();
    }
  }
  if (failure) std::rethrow_exception(failure);
}

void check(const RowProduct& p) {
  ensure(p.weight.exists(), "the processor reads plain weights");
  ensure(p.x.rows() == p.y.rows(), "linear reads as many rows as it writes");
  ensure(p.weight.rows() == (p.is_transposed ? p.y : p.x).columns() &&
             p.weight.columns() == (p.is_transposed ? p.x : p.y).columns(),
         "linear's weight has another shape than its input and output");
  for (const Tensor& tensor : {p.y, p.x, p.weight}) {
    ensure(tensor.dtype() == DType::kF32 || tensor.dtype() == DType::kBF16,
           "the processor computes F32 and BF16; double is the reference's");
  }
}

void run_rows(const RowProduct& p, const Worker& worker) {
  check(p);
  if (p.y.elements() == 0) return;
  const int64_t bytes = scratch_of_tile(p);
  // A part is one tile unless it goes through scratch, and small work is not worth waking the team.
  constexpr double kSmall = 1e6;
  const bool is_small = double(p.y.elements()) * double(p.inner()) < kSmall;
  const TileSize tile = worker.is_whole() && !is_small ? p.tiles()
                        : bytes == 0                   ? TileSize{p.y.rows(), p.y.columns()}
                                                       : kLargestTile;
  const Worker here = is_small && worker.is_whole() ? Worker{worker.team, 0} : worker;
  for_each_tile(here, p.y.rows(), p.y.columns(), tile, [&](Range rows, Range columns, int thread) {
    multiply_tile(p, rows, columns, Scratch(here, thread, bytes));
  });
}

// dW = [dW +] alpha · dyᵀ x, one tile of it, in blocks of rows.
void multiply_gradient_tile(const Linear::BackwardWeight& args, Range outputs, Range inputs, bool copies_dy,
                            Scratch scratch) {
  const Tensor dweight = args.dweight.slice_rows(outputs.begin, outputs.end).slice_columns(inputs.begin, inputs.end);
  std::byte* const free = scratch.position();
  for (int64_t begin = 0; begin < args.x.rows(); begin += kGradientRows) {
    scratch.rewind(free);
    const Range rows{begin, std::min(args.x.rows(), begin + kGradientRows)};
    const Tensor dy =
        copies_dy ? scratch.copied(args.dy.slice_rows(rows.begin, rows.end).slice_columns(outputs.begin, outputs.end))
                  : scratch.widened(args.dy, rows, outputs);
    const Tensor x = scratch.widened(args.x, rows, inputs);
    multiply({.a = operand(dy, true),
              .b = operand(x),
              .c = f32(dweight),
              .c_stride = dweight.stride(),
              .rows = outputs.size(),
              .columns = inputs.size(),
              .inner = rows.size(),
              .alpha = static_cast<float>(args.alpha),
              .accumulate = begin > 0 || args.accumulate});
  }
}

void check(const Linear::BackwardWeight& args) {
  ensure(args.x.rows() == args.dy.rows(), "linear's gradient reads as many rows of x as of dy");
  ensure(args.dweight.rows() == args.dy.columns() && args.dweight.columns() == args.x.columns(),
         "linear's weight gradient has another shape than its weight");
  ensure(is_f32(args.dweight), "a weight's gradient is summed in F32");
  ensure(args.x.rows() > 0 || args.accumulate, "linear's gradient of no rows");
}

void sum_bias_gradient(const Linear::BackwardWeight& args, const Worker& worker) {
  constexpr int64_t kCacheLineFloats = 16;
  const int64_t outputs = args.dy.columns();
  split(worker, outputs, grain_for(worker, outputs, kCacheLineFloats), [&](int64_t begin, int64_t end) {
    const Tensor sums(f32(args.dbias) + begin, DType::kF32, {end - begin});
    HWY_DYNAMIC_DISPATCH(sum_rows)(sums, args.dy.slice_columns(begin, end), args.accumulate);
  });
}

}  // namespace

int64_t scratch_bytes(const Linear::Forward& args, int) { return scratch_of_tile(row_product(args)); }
int64_t scratch_bytes(const Linear::BackwardInput& args, int) { return scratch_of_tile(row_product(args)); }
int64_t scratch_bytes(const Linear::BackwardWeight& args, int) {
  const int64_t rows = std::min(args.x.rows(), kGradientRows);
  return Scratch::bytes_of(rows, std::min(args.dy.columns(), kLargestGradientTile.rows)) +
         (is_f32(args.x) ? 0 : Scratch::bytes_of(rows, std::min(args.x.columns(), kLargestGradientTile.columns)));
}

void run(const Linear::Forward& args, Worker worker) { run_rows(row_product(args), worker); }
void run(const Linear::BackwardInput& args, Worker worker) { run_rows(row_product(args), worker); }

void run(const Linear::BackwardWeight& args, Worker worker) {
  check(args);
  const int64_t outputs = args.dy.columns();
  const int64_t inputs = args.x.columns();
  // A part's adapters are thin, and one product of them is fastest; a trained weight is cut, and columns that are cut
  // out of wide rows are copied first: read in place they miss the cache so often that the product takes twice as long.
  const bool is_direct = !worker.is_whole() && is_f32(args.x) && is_f32(args.dy);
  const TileSize tile = is_direct           ? TileSize{outputs, inputs}
                        : worker.is_whole() ? tile_size(outputs, inputs, kLargestGradientTile, kSmallestGradientTile)
                                            : kLargestGradientTile;
  const int64_t bytes = is_direct ? 0 : scratch_bytes(args, worker.team.threads);
  for_each_tile(worker, outputs, inputs, tile, [&](Range rows, Range columns, int thread) {
    multiply_gradient_tile(args, rows, columns, !is_direct, Scratch(worker, thread, bytes));
  });
  if (args.dbias.exists()) sum_bias_gradient(args, worker);
}

}  // namespace anneal::cpu
#endif
