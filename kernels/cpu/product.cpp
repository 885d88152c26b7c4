#include "kernels/cpu/product.h"

#include "kernels/cpu/element_types.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/cpu/product.cpp"
#include "kernels/cpu/targets.h"
// what follows is compiled for each instruction set
#include "kernels/cpu/tile_product-inl.h"
#include "kernels/cpu/transpose-inl.h"

namespace anneal::cpu {
#ifndef ANNEAL_PRODUCT_BLOCKS
#define ANNEAL_PRODUCT_BLOCKS

// A panel of this length and six rows of a fill the first-level cache.
constexpr int64_t kLongestBlock = 288;
// Panels packed at once: long enough stretches of b's rows to be worth a visit.
constexpr int64_t kPanelsAtOnce = 4;
constexpr int64_t kLargestPanel = 32;  // columns, on AVX-512

// Blocks of nearly the same length, so that none is short.
inline int64_t block_length(int64_t inner) {
  const int64_t blocks = (inner + kLongestBlock - 1) / kLongestBlock;
  return blocks == 0 ? 0 : ((inner + blocks - 1) / blocks + 3) / 4 * 4;
}

// From one row of a copied block to the next: an odd number of cache lines, so that rows do not meet in the cache.
inline int64_t left_step(int64_t length) {
  constexpr int64_t kCacheLineFloats = 16;
  return ((length + kCacheLineFloats - 1) / kCacheLineFloats | 1) * kCacheLineFloats;
}

struct ProductScratch {
  float* left;    // (rows, block), rows left_step apart: a, where it is not read in place
  float* panels;  // kPanelsAtOnce of (block, panel)
  float* edge;    // (rows, panel): sums of a panel that is wider than what is left of c
};

#endif
}  // namespace anneal::cpu

HWY_BEFORE_NAMESPACE();
namespace anneal::cpu::HWY_NAMESPACE {

// Up to kPanelsAtOnce panels of b as it lies.
template <class T>
void pack_plain(const T* from, int64_t stride, int64_t columns, int64_t length, float scale, float* panels) {
  constexpr int64_t kRowsAhead = 8;  // short stretches of far rows are not fetched ahead by the processor itself
  constexpr auto kCacheLine = static_cast<int64_t>(64 / sizeof(T));
  const auto factor = hn::Set(Floats(), scale);
  for (int64_t k = 0; k < length; ++k) {
    if (k + kRowsAhead < length) {
      const T* ahead = from + (k + kRowsAhead) * stride;
      for (int64_t j = 0; j < columns; j += kCacheLine) __builtin_prefetch(ahead + j);
    }
    for (int64_t j = 0; j < columns; j += kLanes) {
      float* to = panels + (j / kPanel) * length * kPanel + k * kPanel + j % kPanel;
      hn::StoreU(hn::Mul(load(from + k * stride + j, static_cast<size_t>(columns - j)), factor), Floats(), to);
    }
    // The second half of a last panel that holds one vector.
    if (const int64_t end = (columns + kLanes - 1) / kLanes * kLanes; end % kPanel != 0) {
      hn::StoreU(hn::Zero(Floats()), Floats(), panels + (end / kPanel) * length * kPanel + k * kPanel + end % kPanel);
    }
  }
}

void pack_right(const Product& p, int64_t first, int64_t columns, int64_t begin, int64_t length, float* panels) {
  dispatch_f32_bf16(p.b.dtype(), [&](auto type) {
    using T = decltype(type);
    if (!p.is_b_transposed) {
      pack_plain(row_of<T>(p.b, begin) + first, p.b.stride(), columns, length, p.alpha, panels);
      return;
    }
    for (int64_t j = 0; j < columns; j += kPanel) {
      pack_transposed_panel(row_of<T>(p.b, first + j) + begin, p.b.stride(), std::min(kPanel, columns - j), length,
                            p.alpha, panels + (j / kPanel) * length * kPanel);
    }
  });
}

// A block of a: in place where few columns would not pay for a copy, else as dense floats: rows that lie a multiple of
// a page apart, as widths of 1024 do, would push each other out of the cache.
LeftSide left_side(const Product& p, int64_t begin, int64_t length, float* copy) {
  constexpr int64_t kFewColumns = 96;
  constexpr int64_t kFewColumnsOfTransposed = 32;  // a tile reads only six floats of each cache line
  const int64_t rows = p.c.rows();
  if (p.a.dtype() == DType::kF32) {
    if (!p.is_a_transposed && p.c.columns() < kFewColumns) return {row_of<float>(p.a, 0) + begin, p.a.stride(), 1};
    if (p.is_a_transposed && p.c.columns() <= kFewColumnsOfTransposed) {
      return {row_of<float>(p.a, begin), 1, p.a.stride()};
    }
  }
  const int64_t step = left_step(length);
  dispatch_f32_bf16(p.a.dtype(), [&](auto type) {
    using T = decltype(type);
    if (p.is_a_transposed) {
      transpose_block(row_of<T>(p.a, begin), p.a.stride(), length, rows, 1.0f, copy, step);
      return;
    }
    for (int64_t row = 0; row < rows; ++row) {
      const T* from = row_of<T>(p.a, row) + begin;
      for_each_vector(static_cast<size_t>(length),
                      [&](size_t i, size_t n) ANNEAL_INLINE { store(load(from + i, n), copy + row * step + i, n); });
    }
  });
  return {copy, step, 1};
}

// A block of the inner dimension.
struct Block {
  int64_t begin, length;
  bool accumulate;  // c holds the blocks before, or what the product is added to
};

// One panel's columns of c, from `first` on. Where fewer are left than whole vectors hold, the sums go another way.
void multiply_panel(const Product& p, LeftSide left, RightSide right, int64_t first, const Block& block, float* edge) {
  const int64_t rows = p.c.rows();
  float* c = row_of<float>(p.c, 0) + first;
  if (right.columns % kLanes == 0) {
    multiply(left, rows, right, block.length, {c, p.c.stride(), block.accumulate});
    return;
  }
  multiply(left, rows, right, block.length, {edge, kPanel, false});
  for (int64_t row = 0; row < rows; ++row) {
    for (int64_t j = 0; j < right.columns; ++j) {
      float& to = c[row * p.c.stride() + j];
      to = block.accumulate ? to + edge[row * kPanel + j] : edge[row * kPanel + j];
    }
  }
}

// For few rows a copy of b would not pay.
bool reads_right_in_place(const Product& p) {
  constexpr int64_t kFewRows = 24;
  return !p.is_b_transposed && p.b.dtype() == DType::kF32 && p.alpha == 1 && p.c.rows() <= kFewRows &&
         p.c.columns() % kLanes == 0;
}

void multiply_columns(const Product& p, LeftSide left, int64_t first, const Block& block,
                      const ProductScratch& scratch) {
  constexpr int64_t kColumnsAtOnce = kPanelsAtOnce * kPanel;
  const bool is_in_place = reads_right_in_place(p);
  for (; first < p.c.columns(); first += kColumnsAtOnce) {
    const int64_t columns = std::min(kColumnsAtOnce, p.c.columns() - first);
    if (!is_in_place) pack_right(p, first, columns, block.begin, block.length, scratch.panels);
    for (int64_t j = 0; j < columns; j += kPanel) {
      const int64_t width = std::min(kPanel, columns - j);
      const RightSide right = is_in_place ? RightSide{row_of<float>(p.b, block.begin) + first + j, p.b.stride(), width}
                                          : RightSide{scratch.panels + j * block.length, kPanel, width};
      multiply_panel(p, left, right, first + j, block, scratch.edge);
    }
  }
}

// One row times b's transpose, as in generating text: b's rows are transposed in registers on their way. Each sum runs
// as a tile's does. Returns how many columns are done: a multiple of 16.
template <class T>
int64_t multiply_row([[maybe_unused]] const Product& p, [[maybe_unused]] LeftSide left,
                     [[maybe_unused]] const Block& block) {
#if HWY_TARGET == HWY_SCALAR
  return 0;
#else
  const FourFloats d;
  const auto factor = hn::Set(d, p.alpha);
  constexpr int64_t kGroups = 4;  // of four columns: sums that do not wait for each other
  const int64_t whole = p.c.columns() / (4 * kGroups) * (4 * kGroups);
  for (int64_t first = 0; first < whole; first += 4 * kGroups) {
    Four sums[kGroups] = {hn::Zero(d), hn::Zero(d), hn::Zero(d), hn::Zero(d)};
    const T* from = row_of<T>(p.b, first) + block.begin;
    int64_t k = 0;
    for (; k + 4 <= block.length; k += 4) {
      const float* a = left.data + k * left.inner_step;
#pragma GCC unroll 4
      for (int64_t group = 0; group < kGroups; ++group) {
        const FourColumns four = four_columns(from + 4 * group * p.b.stride() + k, p.b.stride(), factor);
        sums[group] = hn::MulAdd(hn::Set(d, a[0]), four.column0, sums[group]);
        sums[group] = hn::MulAdd(hn::Set(d, a[left.inner_step]), four.column1, sums[group]);
        sums[group] = hn::MulAdd(hn::Set(d, a[2 * left.inner_step]), four.column2, sums[group]);
        sums[group] = hn::MulAdd(hn::Set(d, a[3 * left.inner_step]), four.column3, sums[group]);
      }
    }
    for (; k < block.length; ++k) {
      for (int64_t group = 0; group < kGroups; ++group) {
        HWY_ALIGN float column[4];
        for (int64_t j = 0; j < 4; ++j) column[j] = static_cast<float>(from[(4 * group + j) * p.b.stride() + k]);
        const auto right = hn::Mul(hn::Load(d, column), factor);
        sums[group] = hn::MulAdd(hn::Set(d, left.data[k * left.inner_step]), right, sums[group]);
      }
    }
    float* c = row_of<float>(p.c, 0) + first;
    for (int64_t group = 0; group < kGroups; ++group) {
      const auto sum = block.accumulate ? hn::Add(hn::LoadU(d, c + 4 * group), sums[group]) : sums[group];
      hn::StoreU(sum, d, c + 4 * group);
    }
  }
  return whole;
#endif
}

void multiply_blocks(const Product& p, const ProductScratch& scratch) {
  const int64_t step = block_length(p.inner());
  for (int64_t begin = 0; begin < p.inner(); begin += step) {
    const Block block{begin, std::min(step, p.inner() - begin), begin > 0 || p.accumulate};
    const LeftSide left = left_side(p, begin, block.length, scratch.left);
    int64_t done = 0;
    if (p.c.rows() == 1 && p.is_b_transposed) {
      dispatch_f32_bf16(p.b.dtype(), [&](auto type) { done = multiply_row<decltype(type)>(p, left, block); });
    }
    multiply_columns(p, left, done, block, scratch);
  }
}

}  // namespace anneal::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace anneal::cpu {

HWY_EXPORT(multiply_blocks);

namespace {
int64_t left_floats(int64_t rows, int64_t inner) { return rows * left_step(block_length(inner)); }
int64_t panel_floats(int64_t inner) { return kPanelsAtOnce * kLargestPanel * block_length(inner); }
}  // namespace

int64_t product_scratch_bytes(int64_t rows, int64_t inner) {
  const int64_t floats = left_floats(rows, inner) + panel_floats(inner) + rows * kLargestPanel;
  return floats * static_cast<int64_t>(sizeof(float));
}

void multiply(const Product& product, std::byte* scratch) {
  auto* floats = reinterpret_cast<float*>(scratch);
  const int64_t rows = product.c.rows();
  const int64_t left = left_floats(rows, product.inner());
  const int64_t panels = panel_floats(product.inner());
  HWY_DYNAMIC_DISPATCH(multiply_blocks)(product, {floats, floats + left, floats + left + panels});
}

}  // namespace anneal::cpu
#endif
