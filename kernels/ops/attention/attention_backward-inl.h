// Attention's backward for one part (Dao et al., 2022): scores are made again block by block. The part's query
// gradients are its own; key and value gradients are summed over the parts of a document, from the last part to the
// first: a part hands in its sums for a block of keys when its turn comes. Compiled once for each instruction set.
#if defined(ANNEAL_KERNELS_OPS_ATTENTION_BACKWARD_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef ANNEAL_KERNELS_OPS_ATTENTION_BACKWARD_INL_H
#undef ANNEAL_KERNELS_OPS_ATTENTION_BACKWARD_INL_H
#else
#define ANNEAL_KERNELS_OPS_ATTENTION_BACKWARD_INL_H
#endif

#include "kernels/ops/attention/attention_rows-inl.h"
#include "kernels/ops/attention/attention_scratch.h"
#include "kernels/ops/attention/attention_turns.h"

HWY_BEFORE_NAMESPACE();
namespace anneal::cpu::HWY_NAMESPACE {

// The rows of one document and one key/value head; row 0 is position 0.
template <class T>
struct BackwardRows {
  Rows<const T> query, key, value, out, dout;
  Rows<const float> lse;
  Rows<T> dquery, dkey, dvalue;
};

// One row's scores become its weights p, and dp becomes ds = p (dp − δ) cap'. What stands after the range, up to a
// whole vector, becomes anything.
HWY_INLINE void weigh(float* scores, float* slopes, Visible range, float lse, float delta, float soft_cap) {
  const Floats d;
  for (int64_t i = range.begin; i < range.end; i += kLanes) {
    auto score = hn::LoadU(d, scores + i);
    auto slope = hn::Sub(hn::LoadU(d, slopes + i), hn::Set(d, delta));
    if (soft_cap > 0) {
      score = capped(score, soft_cap);
      slope = hn::Mul(slope, cap_slope(score, soft_cap));
    }
    const auto weight = exp_of_negative(hn::Sub(score, hn::Set(d, lse)));
    hn::StoreU(weight, d, scores + i);
    hn::StoreU(hn::Mul(weight, slope), d, slopes + i);
  }
}

inline void weigh_block(const BlockPair& pair, const BackwardScratch& scratch) {
  for (int64_t row = 0; row < pair.rows; ++row) {
    float* weights = scratch.weights + row * pair.blocks.score_step;
    float* slopes = scratch.slopes + row * pair.blocks.score_step;
    const Visible filled = pair.filled(row);
    Visible range = pair.visible(row);
    if (range.empty()) range = {filled.end, filled.end};
    const int64_t place = pair.first_row + row;
    weigh(weights, slopes, range, scratch.lse[place], scratch.deltas[place], static_cast<float>(pair.shape.soft_cap));
    for (float* zeros : {weights, slopes}) {
      fill_zeros(zeros, filled.begin, range.begin);
      fill_zeros(zeros, range.end, filled.end);
    }
  }
}

// sums (keys × head_size, padded_size apart) += weightsᵀ · rows, each tile of keys over the rows that see it.
inline void add_weighted_keys(const BlockPair& pair, const float* weights, const float* rows, float* sums) {
  const AttentionBlocks& blocks = pair.blocks;
  const Visible all = pair.visible_to_all();
  int64_t begin = 0;  // rows [begin, end) see keys of the tile
  int64_t end = 0;
  for (int64_t key = all.begin / kTileRows * kTileRows; key < all.end; key += kTileRows) {
    while (pair.filled(begin).end <= key) begin += kTileRows;
    while (end < pair.rows && pair.filled(end).begin <= key) end += kTileRows;
    const int64_t inner = std::min(end, pair.rows) - begin;
    for (int64_t column = 0; column < blocks.head_size; column += kPanel) {
      multiply({weights + begin * blocks.score_step + key, 1, blocks.score_step}, std::min(kTileRows, pair.keys - key),
               {rows + begin * blocks.padded_size + column, blocks.padded_size, blocks.head_size - column}, inner,
               {sums + key * blocks.padded_size + column, blocks.padded_size, true});
    }
  }
}

template <class T>
class BackwardPart {
 public:
  BackwardPart(const AttentionShape& shape, const BackwardRows<T>& rows, QueryRange queries, std::byte* memory)
      : shape_(shape), blocks_(shape), rows_(rows), queries_(queries), scratch_(blocks_, memory) {}

  void run(const AttentionTurns& turns) {
    begin();
    for (int64_t block = first_key_block(shape_, blocks_, queries_); block < end_key_block(blocks_, queries_);
         ++block) {
      const int64_t first_key = block * blocks_.key_block;
      const int64_t keys = std::min(blocks_.key_block, queries_.end - first_key);
      sum_over_rows(first_key, keys);
      const bool is_first = turns.wait_is_first(block);
      for (int64_t key = 0; key < keys; ++key) {
        const int64_t position = first_key + key;
        hand_in(turns, is_first, position, rows_.dkey.row(position), scratch_.dkeys + key * blocks_.padded_size,
                AttentionTurns::kKey);
        hand_in(turns, is_first, position, rows_.dvalue.row(position), scratch_.dvalues + key * blocks_.padded_size,
                AttentionTurns::kValue);
      }
      turns.pass_on(block);
    }
    write_query_gradient();
  }

 private:
  int64_t part_rows() const { return (queries_.end - queries_.begin) * blocks_.group; }

  void begin() {
    std::fill_n(scratch_.dquery, part_rows() * blocks_.padded_size, 0.0f);
    for (int64_t row = 0; row < part_rows(); ++row) {
      const int64_t query = queries_.begin + row / blocks_.group;
      const int64_t head = row % blocks_.group;
      const int64_t column = head * blocks_.head_size;
      scratch_.lse[row] = rows_.lse.row(query)[head];
      scratch_.deltas[row] = row_dot(rows_.dout.row(query) + column, rows_.out.row(query) + column, blocks_.head_size);
    }
  }

  void sum_over_rows(int64_t first_key, int64_t keys) {
    const int64_t size = blocks_.head_size;
    const Rows<const T> key{rows_.key.row(first_key), rows_.key.step};
    pack_transposed(key, keys, size, scratch_.keys);
    pack_transposed(Rows<const T>{rows_.value.row(first_key), rows_.value.step}, keys, size, scratch_.values);
    pack_columns(key, keys, size, scratch_.key_columns);
    std::fill_n(scratch_.dkeys, keys * blocks_.padded_size, 0.0f);
    std::fill_n(scratch_.dvalues, keys * blocks_.padded_size, 0.0f);
    for (int64_t row = 0; row < part_rows(); row += AttentionBlocks::kRowBlock) {
      const BlockPair pair{.shape = shape_,
                           .blocks = blocks_,
                           .first_query = queries_.begin,
                           .first_row = row,
                           .rows = std::min(AttentionBlocks::kRowBlock, part_rows() - row),
                           .first_key = first_key,
                           .keys = keys};
      if (!pair.visible_to_all().empty()) add_pair(pair);
    }
  }

  void add_pair(const BlockPair& pair) {
    const Rows<const T> query{rows_.query.row(queries_.begin), rows_.query.step};
    const Rows<const T> dout{rows_.dout.row(queries_.begin), rows_.dout.step};
    // With the scale in the query, dk = Σ ds · scaled query needs no factor of its own.
    read_rows(query, blocks_, pair.first_row, pair.rows, static_cast<float>(shape_.scale), scratch_.query);
    read_rows(dout, blocks_, pair.first_row, pair.rows, 1, scratch_.dout);
    multiply_by_keys(pair, scratch_.query, scratch_.keys, scratch_.weights);
    multiply_by_keys(pair, scratch_.dout, scratch_.values, scratch_.slopes);
    weigh_block(pair, scratch_);
    add_weighted_rows(pair, scratch_.slopes, scratch_.key_columns,
                      scratch_.dquery + pair.first_row * blocks_.padded_size);
    add_weighted_keys(pair, scratch_.weights, scratch_.dout, scratch_.dvalues);
    add_weighted_keys(pair, scratch_.slopes, scratch_.query, scratch_.dkeys);
  }

  // The first part that sees a key writes, the others add, the last rounds to the result's type.
  void hand_in(const AttentionTurns& turns, bool is_first, int64_t position, T* result, const float* own,
               AttentionTurns::Gradient which) {
    const bool is_last = turns.is_last(position);
    float* sums = nullptr;
    if constexpr (sizeof(T) == sizeof(float)) {
      sums = result;
    } else {
      if (!is_first || !is_last) sums = turns.sums(position, which);
    }
    for_each_vector(static_cast<size_t>(blocks_.head_size), [&](size_t i, size_t n) ANNEAL_INLINE {
      auto value = load(own + i, n);
      if (!is_first) value = hn::Add(load(sums + i, n), value);
      if (is_last) {
        store(value, result + i, n);
      } else {
        store(value, sums + i, n);
      }
    });
  }

  void write_query_gradient() {
    const auto scale = hn::Set(Floats(), static_cast<float>(shape_.scale));
    for (int64_t row = 0; row < part_rows(); ++row) {
      const float* from = scratch_.dquery + row * blocks_.padded_size;
      T* to = rows_.dquery.row(queries_.begin + row / blocks_.group) + row % blocks_.group * blocks_.head_size;
      for_each_vector(static_cast<size_t>(blocks_.head_size),
                      [&](size_t i, size_t n) ANNEAL_INLINE { store(hn::Mul(load(from + i, n), scale), to + i, n); });
    }
  }

  const AttentionShape& shape_;
  const AttentionBlocks blocks_;
  const BackwardRows<T>& rows_;
  const QueryRange queries_;
  const BackwardScratch scratch_;
};

}  // namespace anneal::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // per target
