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
      for_each_vector(static_cast<size_t>(y.columns()), [&](size_t i, size_t n) ANNEAL_INLINE {
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
    for_each_vector(static_cast<size_t>(dy.columns()), [&](size_t i, size_t n) ANNEAL_INLINE {
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
#include "kernels/cpu/product.h"
#include "kernels/cpu/split.h"
#include "kernels/cpu/team_tasks.h"
#include "kernels/ops/linear/tiles.h"

namespace anneal::cpu {

HWY_EXPORT(finish_tile);
HWY_EXPORT(sum_rows);

namespace {

constexpr TileSize kLargestTile{kProductRows, 512};
constexpr TileSize kSmallestTile{64, 64};
// Of a weight's gradient, whose inner dimension is the rows: wide enough that packing x for it does not show.
constexpr TileSize kLargestGradientTile{192, 576};
constexpr TileSize kSmallestGradientTile{96, 192};

// Calls body(rows, columns, thread) for every tile: on the team where the op is whole, else here one by one.
template <class Body>
void for_each_tile(const Worker& worker, int64_t rows, int64_t columns, int64_t inner, TileSize tile,
                   const Body& body) {
  const int64_t across = (columns + tile.columns - 1) / tile.columns;
  const int64_t down = (rows + tile.rows - 1) / tile.rows;
  const double operations = 2.0 * double(rows) * double(columns) * double(inner);
  for_each_task(worker, down * across, operations, [&](int64_t index, int thread) {
    const int64_t row = index / across * tile.rows;
    const int64_t column = index % across * tile.columns;
    body(Range{row, std::min(rows, row + tile.rows)}, Range{column, std::min(columns, column + tile.columns)}, thread);
  });
}

Tensor block(const Tensor& tensor, Range rows, Range columns) {
  return tensor.slice_rows(rows.begin, rows.end).slice_columns(columns.begin, columns.end);
}

// Forward and BackwardInput: y = [y +] alpha · x W' [+ bias], W' the weight, transposed in Forward.
struct RowProduct {
  Tensor y, x, weight, bias;
  float alpha;
  bool accumulate;
  bool is_transposed;
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

// FP32 sums of a tile, where y cannot hold them.
int64_t sums_bytes(const RowProduct& p) {
  if (p.y.dtype() == DType::kF32) return 0;
  const int64_t elements = std::min(p.y.rows(), kLargestTile.rows) * std::min(p.y.columns(), kLargestTile.columns);
  return (elements * size_of(DType::kF32) + Arena::kAlignment - 1) / Arena::kAlignment * Arena::kAlignment;
}
int64_t row_product_scratch(const RowProduct& p) {
  return sums_bytes(p) + product_scratch_bytes(std::min(p.y.rows(), kProductRows), p.x.columns());
}

void multiply_tile(const RowProduct& p, Range rows, Range columns, std::byte* scratch) {
  const Tensor y = block(p.y, rows, columns);
  const bool is_direct = y.dtype() == DType::kF32;
  const Tensor sums = is_direct ? y : Tensor(scratch, DType::kF32, {rows.size(), columns.size()});
  multiply({.c = sums,
            .a = p.x.slice_rows(rows.begin, rows.end),
            .b = p.is_transposed ? p.weight.slice_rows(columns.begin, columns.end)
                                 : p.weight.slice_columns(columns.begin, columns.end),
            .is_b_transposed = p.is_transposed,
            .alpha = p.alpha,
            .accumulate = is_direct && p.accumulate},
           scratch + sums_bytes(p));
  if (is_direct && !p.bias.exists()) return;
  const Tensor bias = p.bias.exists() ? p.bias.slice_rows(columns.begin, columns.end) : Tensor();
  HWY_DYNAMIC_DISPATCH(finish_tile)(y, sums, bias, p.accumulate && !is_direct);
}

void check_types(std::initializer_list<Tensor> tensors) {
  for (const Tensor& tensor : tensors) {
    ensure(tensor.dtype() == DType::kF32 || tensor.dtype() == DType::kBF16,
           "the processor computes F32 and BF16; double is the reference's");
  }
}

void check(const RowProduct& p) {
  ensure(p.weight.exists(), "the processor reads plain weights");
  ensure(p.x.rows() == p.y.rows(), "linear reads as many rows as it writes");
  ensure(p.weight.rows() == (p.is_transposed ? p.y : p.x).columns() &&
             p.weight.columns() == (p.is_transposed ? p.x : p.y).columns(),
         "linear's weight has another shape than its input and output");
  check_types({p.y, p.x, p.weight});
}

void run_rows(const RowProduct& p, const Worker& worker) {
  check(p);
  if (p.y.elements() == 0) return;
  // Inside a part, or for what is not worth waking the team, tiles are as large as they may be.
  constexpr double kSmall = 1e6;
  const bool is_small = double(p.y.elements()) * double(p.x.columns()) < kSmall;
  const Worker here = worker.is_whole() && is_small ? Worker{worker.team, 0} : worker;
  const TileSize whole_rows{kProductRows, p.y.dtype() == DType::kF32 ? p.y.columns() : kLargestTile.columns};
  const TileSize tile = here.is_whole()
                            ? tile_size(p.y.rows(), p.y.columns(), kLargestTile, kSmallestTile, here.team.threads)
                            : whole_rows;
  const int64_t bytes = row_product_scratch(p);
  here.scratch(bytes);  // says so here, on one thread, if there is too little
  for_each_tile(here, p.y.rows(), p.y.columns(), p.x.columns(), tile, [&](Range rows, Range columns, int thread) {
    multiply_tile(p, rows, columns, here.team.scratch_of(thread, bytes));
  });
}

void check(const Linear::BackwardWeight& args) {
  ensure(args.x.rows() == args.dy.rows(), "linear's gradient reads as many rows of x as of dy");
  ensure(args.dweight.rows() == args.dy.columns() && args.dweight.columns() == args.x.columns(),
         "linear's weight gradient has another shape than its weight");
  ensure(args.dweight.dtype() == DType::kF32, "a weight's gradient is summed in F32");
  ensure(args.x.rows() > 0 || args.accumulate, "linear's gradient of no rows");
  check_types({args.x, args.dy});
}

void sum_bias_gradient(const Linear::BackwardWeight& args, const Worker& worker) {
  constexpr int64_t kCacheLineFloats = 16;
  const int64_t outputs = args.dy.columns();
  split(worker, outputs, grain_for(worker, outputs, kCacheLineFloats), [&](int64_t begin, int64_t end) {
    HWY_DYNAMIC_DISPATCH(sum_rows)
    (args.dbias.slice_rows(begin, end), args.dy.slice_columns(begin, end), args.accumulate);
  });
}

}  // namespace

int64_t scratch_bytes(const Linear::Forward& args, int) { return row_product_scratch(row_product(args)); }
int64_t scratch_bytes(const Linear::BackwardInput& args, int) { return row_product_scratch(row_product(args)); }
int64_t scratch_bytes(const Linear::BackwardWeight& args, int) {
  return product_scratch_bytes(std::min(args.dy.columns(), kLargestGradientTile.rows), args.x.rows());
}

void run(const Linear::Forward& args, Worker worker) { run_rows(row_product(args), worker); }
void run(const Linear::BackwardInput& args, Worker worker) { run_rows(row_product(args), worker); }

void run(const Linear::BackwardWeight& args, Worker worker) {
  check(args);
  const int64_t outputs = args.dy.columns();
  const int64_t inputs = args.x.columns();
  const TileSize tile =
      worker.is_whole() ? tile_size(outputs, inputs, kLargestGradientTile, kSmallestGradientTile, worker.team.threads)
                        : TileSize{kLargestGradientTile.rows, inputs};
  const int64_t bytes = scratch_bytes(args, worker.team.threads);
  worker.scratch(bytes);
  for_each_tile(worker, outputs, inputs, args.x.rows(), tile, [&](Range rows, Range columns, int thread) {
    multiply({.c = block(args.dweight, rows, columns),
              .a = args.dy.slice_columns(rows.begin, rows.end),
              .b = args.x.slice_columns(columns.begin, columns.end),
              .is_a_transposed = true,
              .alpha = static_cast<float>(args.alpha),
              .accumulate = args.accumulate},
             worker.team.scratch_of(thread, bytes));
  });
  if (args.dbias.exists()) sum_bias_gradient(args, worker);
}

}  // namespace anneal::cpu
#endif
