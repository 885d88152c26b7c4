// What attention's forward and backward share, compiled once for each instruction set: operands read into FP32, which
// keys the rows of a block see, and scores.
#if defined(ANNEAL_KERNELS_OPS_ATTENTION_ROWS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef ANNEAL_KERNELS_OPS_ATTENTION_ROWS_INL_H
#undef ANNEAL_KERNELS_OPS_ATTENTION_ROWS_INL_H
#else
#define ANNEAL_KERNELS_OPS_ATTENTION_ROWS_INL_H
#endif

#include "kernels/cpu/soft_cap-inl.h"
#include "kernels/cpu/transpose-inl.h"
#include "kernels/ops/attention/attention_blocks.h"

HWY_BEFORE_NAMESPACE();
namespace anneal::cpu::HWY_NAMESPACE {

// Rows in memory, `step` elements from one to the next.
template <class T>
struct Rows {
  T* data;
  int64_t step;
  T* row(int64_t index) const { return data + index * step; }
};

// `count` keys of `size` elements as panels for scores: panel p holds keys p · kPanel …, element after element, the
// missing keys of the last panel as zeros.
template <class T>
void pack_transposed(Rows<const T> keys, int64_t count, int64_t size, float* panels) {
  for (int64_t key = 0; key < count; key += kPanel) {
    pack_transposed_panel(keys.row(key), keys.step, std::min(kPanel, count - key), size, 1.0f, panels + key * size);
  }
}

// The same rows as panels of columns, for sums over keys: panel p holds columns p · kPanel … of all `count` rows.
template <class T>
void pack_columns(Rows<const T> rows, int64_t count, int64_t size, float* panels) {
  for (int64_t column = 0; column < size; column += kPanel) {
    float* panel = panels + column * count;
    for (int64_t row = 0; row < count; ++row) {
      for (int64_t i = column; i < std::min(size, column + kPanel); i += kLanes) {
        hn::StoreU(load(rows.row(row) + i, static_cast<size_t>(size - i)), Floats(), panel + row * kPanel + i - column);
      }
    }
  }
}
HWY_INLINE RightSide column_panel(const float* panels, int64_t count, int64_t size, int64_t column, int64_t first_row) {
  return {panels + column * count + first_row * kPanel, kPanel, size - column};
}

// Rows [first, first + count) of a part's matrix (query r / group, head r % group) into FP32, times `factor`; whole
// vectors are written, `padded_size` floats apart.
template <class T>
void read_rows(Rows<const T> queries, const AttentionBlocks& blocks, int64_t first, int64_t count, float factor,
               float* to) {
  const auto factors = hn::Set(Floats(), factor);
  for (int64_t row = 0; row < count; ++row) {
    const int64_t place = first + row;
    const T* from = queries.row(place / blocks.group) + place % blocks.group * blocks.head_size;
    for (int64_t i = 0; i < blocks.head_size; i += kLanes) {
      const Vector value = load(from + i, static_cast<size_t>(blocks.head_size - i));
      hn::StoreU(hn::Mul(value, factors), Floats(), to + row * blocks.padded_size + i);
    }
  }
}

// Keys [begin, end) of a block.
struct Visible {
  int64_t begin, end;
  bool empty() const { return begin >= end; }
};

// A block of rows against a block of keys: who sees what.
struct BlockPair {
  const AttentionShape& shape;
  const AttentionBlocks& blocks;
  int64_t first_query;  // the position of the part's first query
  int64_t first_row;    // of the part's matrix
  int64_t rows;
  int64_t first_key;  // the position of the block's first key
  int64_t keys;

  int64_t position(int64_t row) const { return first_query + (first_row + row) / blocks.group; }
  // What the rows [row, last] see between them.
  Visible visible(int64_t row, int64_t last) const {
    return {std::clamp<int64_t>(first_visible(shape, position(row)) - first_key, 0, keys),
            std::clamp<int64_t>(position(last) + 1 - first_key, 0, keys)};
  }
  Visible visible(int64_t row) const { return visible(row, row); }
  Visible visible_to_all() const { return visible(0, rows - 1); }
  // For rows of one tile, in whole tiles of keys: products over keys or rows read this much, zeros included.
  Visible filled(int64_t row) const {
    const int64_t tile = row / kTileRows * kTileRows;
    const Visible range = visible(tile, std::min(rows, tile + kTileRows) - 1);
    return {range.begin / kTileRows * kTileRows, round_up(range.end, kTileRows)};
  }
};

// left (rows × head_size, padded_size apart) times packed keys, where rows and keys meet at all; score_step apart.
inline void multiply_by_keys(const BlockPair& pair, const float* left, const float* panels, float* scores) {
  const AttentionBlocks& blocks = pair.blocks;
  const Visible all = pair.visible_to_all();
  int64_t begin = 0;  // rows [begin, end) see keys of the panel
  int64_t end = 0;
  for (int64_t key = all.begin / kPanel * kPanel; key < all.end; key += kPanel) {
    while (pair.visible(begin, std::min(pair.rows, begin + kTileRows) - 1).end <= key) begin += kTileRows;
    while (end < pair.rows && pair.visible(end).begin < key + kPanel) end += kTileRows;
    multiply({left + begin * blocks.padded_size, blocks.padded_size, 1}, std::min(end, pair.rows) - begin,
             {panels + key * blocks.head_size, kPanel, kPanel}, blocks.head_size,
             {scores + begin * blocks.score_step + key, blocks.score_step, false});
  }
}

// sums (rows × head_size, padded_size apart) += weights · packed columns, each tile over the keys that it sees.
inline void add_weighted_rows(const BlockPair& pair, const float* weights, const float* panels, float* sums) {
  const AttentionBlocks& blocks = pair.blocks;
  for (int64_t column = 0; column < blocks.head_size; column += kPanel) {
    for (int64_t row = 0; row < pair.rows; row += kTileRows) {
      const int64_t count = std::min(kTileRows, pair.rows - row);
      const Visible range = pair.visible(row, row + count - 1);
      if (range.empty()) continue;
      multiply({weights + row * blocks.score_step + range.begin, blocks.score_step, 1}, count,
               column_panel(panels, pair.keys, blocks.head_size, column, range.begin), range.end - range.begin,
               {sums + row * blocks.padded_size + column, blocks.padded_size, true});
    }
  }
}

template <class A, class B>
HWY_INLINE float row_dot(const A* a, const B* b, int64_t count) {
  auto sum = hn::Zero(Floats());
  for (int64_t i = 0; i < count; i += kLanes) {
    const auto n = static_cast<size_t>(count - i);
    sum = hn::MulAdd(load(a + i, n), load(b + i, n), sum);
  }
  return hn::GetLane(hn::SumOfLanes(Floats(), sum));
}

HWY_INLINE void fill_zeros(float* row, int64_t begin, int64_t end) {
  for (int64_t i = begin; i < end; ++i) row[i] = 0;
}

}  // namespace anneal::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per target
