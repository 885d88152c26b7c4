#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/ops/rope/rope.cpu.cpp"
#include "kernels/cpu/targets.h"
// what follows is compiled for each instruction set
#include "kernels/cpu/element_types.h"
#include "kernels/cpu/split.h"
#include "kernels/cpu/vectors-inl.h"

namespace anneal::cpu {
#ifndef ANNEAL_ROPE_TURN
#define ANNEAL_ROPE_TURN
// Forward and Backward differ in the sign of the angle alone.
struct RopeTurn {
  Tensor x, cosine, sine, positions;
  int64_t heads, head_size;
  float direction;
};
#endif
}  // namespace anneal::cpu

HWY_BEFORE_NAMESPACE();
namespace anneal::cpu::HWY_NAMESPACE {

template <class T>
void turn_head(T* x, const float* cosine, const float* sine, size_t half, Vector direction) {
  for_each_vector(half, [=](size_t i, size_t n) ANNEAL_INLINE {
    const auto first = load(x + i, n);
    const auto second = load(x + half + i, n);
    const auto c = load(cosine + i, n);
    const auto s = hn::Mul(load(sine + i, n), direction);
    store(hn::NegMulAdd(second, s, hn::Mul(first, c)), x + i, n);
    store(hn::MulAdd(first, s, hn::Mul(second, c)), x + half + i, n);
  });
}

void rope_rows(const RopeTurn& turn, int64_t begin, int64_t end) {
  const auto half = static_cast<size_t>(turn.cosine.columns());
  const int32_t* positions = turn.positions.as<int32_t>();
  const auto direction = hn::Set(Floats(), turn.direction);
  dispatch_f32_bf16(turn.x.dtype(), [&](auto type) {
    using T = decltype(type);
    for (int64_t row = begin; row < end; ++row) {
      const float* cosine = row_of<const float>(turn.cosine, positions[row]);
      const float* sine = row_of<const float>(turn.sine, positions[row]);
      T* x = row_of<T>(turn.x, row);
      for (int64_t head = 0; head < turn.heads; ++head) {
        turn_head(x + head * turn.head_size, cosine, sine, half, direction);
      }
    }
  });
}

}  // namespace anneal::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace anneal::cpu {

HWY_EXPORT(rope_rows);

namespace {

void turn_rows(const RopeTurn& turn, Worker worker) {
  ensure(turn.cosine.dtype() == DType::kF32 && turn.sine.dtype() == DType::kF32, "rope tables are F32");
  ensure(2 * turn.cosine.columns() <= turn.head_size, "rope has more rotary columns than a head");
  ensure(turn.heads * turn.head_size <= turn.x.columns(), "rope has more heads than the tensor");
  const int32_t* positions = turn.positions.as<int32_t>();
  for (int64_t row = 0; row < turn.x.rows(); ++row) {
    ensure(positions[row] >= 0 && positions[row] < turn.cosine.rows(), "rope position outside its tables");
  }
  split(worker, turn.x.rows(), grain_for(worker, turn.x.rows(), 8),
        [&](int64_t begin, int64_t end) { HWY_DYNAMIC_DISPATCH(rope_rows)(turn, begin, end); });
}

}  // namespace

void run(const Rope::Forward& args, Worker worker) {
  turn_rows({args.x, args.cosine, args.sine, args.positions, args.heads, args.head_size, 1.0f}, worker);
}
void run(const Rope::Backward& args, Worker worker) {
  turn_rows({args.dx, args.cosine, args.sine, args.positions, args.heads, args.head_size, -1.0f}, worker);
}

}  // namespace anneal::cpu
#endif
