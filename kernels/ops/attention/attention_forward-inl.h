// Attention's forward for one part: keys go by in blocks, and each row keeps its largest score, the sum of its
// exponentials and its weighted sum of values so far, corrected when a larger score comes (the online softmax of
// Milakov and Gimelshein, 2018). Compiled once for each instruction set.
#if defined(ANNEAL_KERNELS_OPS_ATTENTION_FORWARD_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef ANNEAL_KERNELS_OPS_ATTENTION_FORWARD_INL_H
#undef ANNEAL_KERNELS_OPS_ATTENTION_FORWARD_INL_H
#else
#define ANNEAL_KERNELS_OPS_ATTENTION_FORWARD_INL_H
#endif

#include <cmath>
#include <limits>

#include "kernels/ops/attention/attention_rows-inl.h"
#include "kernels/ops/attention/attention_scratch.h"

HWY_BEFORE_NAMESPACE();
namespace anneal::cpu::HWY_NAMESPACE {

// The rows of one document and one key/value head. Row 0 of keys and values is position 0; row 0 of the queries is
// position `first_position` (new tokens before a cache).
template <class T>
struct ForwardRows {
  Rows<const T> query, key, value;
  Rows<T> out;
  Rows<float> lse;  // data null: not wanted
  int64_t first_position = 0;
};

constexpr float kNothing = -std::numeric_limits<float>::infinity();  // the score of a key that is not seen

// What stands after the range, up to a whole vector, becomes kNothing: the row's end computes as its middle does.
HWY_INLINE float largest_score(float* scores, Visible range, float soft_cap) {
  const Floats d;
  if (soft_cap > 0) {
    for (int64_t i = range.begin; i < range.end; i += kLanes) {
      hn::StoreU(capped(hn::LoadU(d, scores + i), soft_cap), d, scores + i);
    }
  }
  const int64_t end = range.begin + round_up(range.end - range.begin, kLanes);
  for (int64_t i = range.end; i < end; ++i) scores[i] = kNothing;
  auto largest = hn::Set(d, kNothing);
  for (int64_t i = range.begin; i < range.end; i += kLanes) largest = hn::Max(largest, hn::LoadU(d, scores + i));
  return hn::GetLane(hn::MaxOfLanes(d, largest));
}

// Scores become exp(score − largest); returns their sum.
HWY_INLINE float exponentiate(float* scores, Visible range, float largest) {
  const Floats d;
  const auto top = hn::Set(d, largest);
  auto total = hn::Zero(d);
  for (int64_t i = range.begin; i < range.end; i += kLanes) {
    const auto weight = exp_of_negative(hn::Sub(hn::LoadU(d, scores + i), top));
    hn::StoreU(weight, d, scores + i);
    total = hn::Add(total, weight);
  }
  return hn::GetLane(hn::SumOfLanes(d, total));
}

// Whole vectors.
HWY_INLINE void scale_floats(float* floats, int64_t count, float factor) {
  const auto factors = hn::Set(Floats(), factor);
  for (int64_t i = 0; i < count; i += kLanes) {
    hn::StoreU(hn::Mul(hn::LoadU(Floats(), floats + i), factors), Floats(), floats + i);
  }
}

// Turns a block of scores into weights, and what earlier blocks of keys left into what it is under the new maximum.
inline void soften(const BlockPair& pair, const ForwardScratch& scratch) {
  const AttentionBlocks& blocks = pair.blocks;
  for (int64_t row = 0; row < pair.rows; ++row) {
    float* scores = scratch.scores + row * blocks.score_step;
    const Visible range = pair.visible(row);
    const Visible filled = pair.filled(row);
    if (range.empty()) {
      fill_zeros(scores, filled.begin, filled.end);
      continue;
    }
    const int64_t place = pair.first_row + row;
    const float before = scratch.largest[place];
    const float now = largest_score(scores, range, static_cast<float>(pair.shape.soft_cap));
    const float largest = now > before ? now : before;
    float total = exponentiate(scores, range, largest);
    fill_zeros(scores, filled.begin, range.begin);
    fill_zeros(scores, range.end, filled.end);
    if (scratch.totals[place] != 0) {  // 0: these are the row's first keys
      const float shrink = std::exp(before - largest);
      total += scratch.totals[place] * shrink;
      scale_floats(scratch.sums + place * blocks.padded_size, blocks.head_size, shrink);
    }
    scratch.largest[place] = largest;
    scratch.totals[place] = total;
  }
}

// A part of few rows (one new token before a cache) reads keys and values where they stand: packing them would cost
// more than the products.
constexpr int64_t kFewRows = 12;

template <class T>
void multiply_by_unpacked_keys(const BlockPair& pair, const float* query, Rows<const T> keys, float* scores) {
  const Visible all = pair.visible_to_all();
  for (int64_t key = all.begin; key < all.end; ++key) {
    for (int64_t row = 0; row < pair.rows; ++row) {
      scores[row * pair.blocks.score_step + key] =
          row_dot(query + row * pair.blocks.padded_size, keys.row(key), pair.blocks.head_size);
    }
  }
}

template <class T>
void add_unpacked_values(const BlockPair& pair, const float* weights, Rows<const T> values, float* sums) {
  for (int64_t row = 0; row < pair.rows; ++row) {
    const Visible range = pair.visible(row);
    float* sum = sums + row * pair.blocks.padded_size;
    for (int64_t key = range.begin; key < range.end; ++key) {
      const auto weight = hn::Set(Floats(), weights[row * pair.blocks.score_step + key]);
      const T* value = values.row(key);
      for (int64_t i = 0; i < pair.blocks.head_size; i += kLanes) {
        const auto n = static_cast<size_t>(pair.blocks.head_size - i);
        hn::StoreU(hn::MulAdd(weight, load(value + i, n), hn::LoadU(Floats(), sum + i)), Floats(), sum + i);
      }
    }
  }
}

template <class T>
void write_forward(const ForwardRows<T>& rows, const AttentionBlocks& blocks, QueryRange queries,
                   const ForwardScratch& scratch) {
  for (int64_t row = 0; row < (queries.end - queries.begin) * blocks.group; ++row) {
    const int64_t query = queries.begin - rows.first_position + row / blocks.group;
    const int64_t head = row % blocks.group;
    const float* sums = scratch.sums + row * blocks.padded_size;
    T* out = rows.out.row(query) + head * blocks.head_size;
    const auto scale = hn::Set(Floats(), 1 / scratch.totals[row]);
    for (int64_t i = 0; i < blocks.head_size; i += kLanes) {
      store(hn::Mul(hn::LoadU(Floats(), sums + i), scale), out + i, static_cast<size_t>(blocks.head_size - i));
    }
    if (rows.lse.data != nullptr) rows.lse.row(query)[head] = scratch.largest[row] + std::log(scratch.totals[row]);
  }
}

// `queries` are positions.
template <class T>
void attend(const AttentionShape& shape, const ForwardRows<T>& rows, QueryRange queries, std::byte* memory) {
  const AttentionBlocks blocks(shape);
  const ForwardScratch scratch(blocks, memory);
  const int64_t part_rows = (queries.end - queries.begin) * blocks.group;
  const bool is_few = part_rows <= kFewRows;
  const Rows<const T> query{rows.query.row(queries.begin - rows.first_position), rows.query.step};
  std::fill_n(scratch.sums, part_rows * blocks.padded_size, 0.0f);
  std::fill_n(scratch.totals, part_rows, 0.0f);
  std::fill_n(scratch.largest, part_rows, kNothing);
  for (int64_t block = first_key_block(shape, blocks, queries); block < end_key_block(blocks, queries); ++block) {
    const int64_t first_key = block * blocks.key_block;
    const int64_t keys = std::min(blocks.key_block, queries.end - first_key);
    const Rows<const T> key{rows.key.row(first_key), rows.key.step};
    const Rows<const T> value{rows.value.row(first_key), rows.value.step};
    if (!is_few) {
      pack_transposed(key, keys, blocks.head_size, scratch.keys);
      pack_columns(value, keys, blocks.head_size, scratch.values);
    }
    for (int64_t row = 0; row < part_rows; row += AttentionBlocks::kRowBlock) {
      const BlockPair pair{.shape = shape,
                           .blocks = blocks,
                           .first_query = queries.begin,
                           .first_row = row,
                           .rows = std::min(AttentionBlocks::kRowBlock, part_rows - row),
                           .first_key = first_key,
                           .keys = keys};
      if (pair.visible_to_all().empty()) continue;
      read_rows(query, blocks, row, pair.rows, static_cast<float>(shape.scale), scratch.query);
      float* sums = scratch.sums + row * blocks.padded_size;
      if (is_few) {
        multiply_by_unpacked_keys(pair, scratch.query, key, scratch.scores);
        soften(pair, scratch);
        add_unpacked_values(pair, scratch.scores, value, sums);
      } else {
        multiply_by_keys(pair, scratch.query, scratch.keys, scratch.scores);
        soften(pair, scratch);
        add_weighted_rows(pair, scratch.scores, scratch.values, sums);
      }
    }
  }
  write_forward(rows, blocks, queries, scratch);
}

}  // namespace anneal::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per target
