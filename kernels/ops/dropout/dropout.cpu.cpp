#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/ops/dropout/dropout.cpu.cpp"
#include "kernels/cpu/targets.h"
// what follows is compiled for each instruction set
#include "kernels/core/philox.h"
#include "kernels/cpu/element_types.h"
#include "kernels/cpu/split.h"
#include "kernels/cpu/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace anneal::cpu::HWY_NAMESPACE {

using WordVector = hn::Vec<Words>;

struct WideProduct {
  WordVector high, low;
};
HWY_INLINE WideProduct multiply_wide(WordVector a, uint32_t by) {
  const Words words;
#if HWY_TARGET == HWY_SCALAR
  const uint64_t product = uint64_t{hn::GetLane(a)} * by;
  return {hn::Set(words, static_cast<uint32_t>(product >> 32)), hn::Set(words, static_cast<uint32_t>(product))};
#else
  const hn::Repartition<uint64_t, Words> wide;
  const auto factor = hn::Set(words, by);
  const auto even = hn::MulEven(a, factor);
  const auto odd = hn::MulEven(hn::BitCast(words, hn::ShiftRight<32>(hn::BitCast(wide, a))), factor);
  return {hn::OddEven(hn::BitCast(words, odd), hn::BitCast(words, hn::ShiftRight<32>(even))),
          hn::OddEven(hn::BitCast(words, hn::ShiftLeft<32>(odd)), hn::BitCast(words, even))};
#endif
}

// The words of the counters {place, block}, {place, block + 1} …, one in each lane, as philox4x32 draws them.
struct PhiloxWords {
  WordVector word[4];
};
HWY_INLINE PhiloxWords philox(uint64_t place, WordVector blocks, std::array<uint32_t, 2> key) {
  const Words words;
  PhiloxWords counter{{hn::Set(words, static_cast<uint32_t>(place)), hn::Set(words, static_cast<uint32_t>(place >> 32)),
                       blocks, hn::Zero(words)}};
  for (int round = 0; round < 10; ++round) {
    const WideProduct first = multiply_wide(counter.word[0], 0xD2511F53u);
    const WideProduct second = multiply_wide(counter.word[2], 0xCD9E8D57u);
    counter.word[0] = hn::Xor(hn::Xor(second.high, counter.word[1]), hn::Set(words, key[0]));
    counter.word[1] = second.low;
    counter.word[2] = hn::Xor(hn::Xor(first.high, counter.word[3]), hn::Set(words, key[1]));
    counter.word[3] = first.low;
    key = {key[0] + 0x9E3779B9u, key[1] + 0xBB67AE85u};
  }
  return counter;
}

// Words of 4 · lanes columns in the columns' order.
HWY_INLINE void draw(uint64_t place, size_t column, std::array<uint32_t, 2> key, uint32_t* HWY_RESTRICT drawn) {
  const Words words;
  const auto blocks = hn::Iota(words, static_cast<uint32_t>(column / 4));
  const PhiloxWords w = philox(place, blocks, key);
  hn::StoreInterleaved4(w.word[0], w.word[1], w.word[2], w.word[3], words, drawn);
}

template <class T>
void dropout_row(const Dropout::Forward& args, T* y, const T* x, uint64_t place, uint32_t threshold) {
  const Words words;
  const auto columns = static_cast<size_t>(args.x.columns());
  const auto scale = hn::Set(Floats(), static_cast<float>(1.0 / (1.0 - args.probability)));
  const size_t step = lanes();
  HWY_ALIGN uint32_t drawn[HWY_MAX_BYTES];  // four vectors of words
  for (size_t begin = 0; begin < columns; begin += 4 * step) {
    draw(place, begin, args.key, drawn);
    for_each_vector(std::min(4 * step, columns - begin), [&](size_t i, size_t n) ANNEAL_INLINE {
      const auto is_dropped = hn::Gt(hn::Set(words, threshold), hn::Load(words, drawn + i));
      auto value = hn::Mul(load(x + begin + i, n), scale);
      value = hn::IfThenZeroElse(hn::RebindMask(Floats(), is_dropped), value);
      if (args.accumulate) value = hn::Add(value, load(y + begin + i, n));
      store(value, y + begin + i, n);
    });
  }
}

void dropout_rows(const Dropout::Forward& args, uint32_t threshold, int64_t begin, int64_t end) {
  const int64_t* places = args.places.as<int64_t>();
  dispatch_f32_bf16(args.x.dtype(), [&](auto type) {
    using T = decltype(type);
    for (int64_t row = begin; row < end; ++row) {
      dropout_row(args, row_of<T>(args.y, row), row_of<T>(args.x, row), static_cast<uint64_t>(places[row]), threshold);
    }
  });
}

}  // namespace anneal::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace anneal::cpu {

HWY_EXPORT(dropout_rows);

void run(const Dropout::Forward& args, Worker worker) {
  ensure(args.probability >= 0 && args.probability < 1, "dropout probability outside [0, 1)");
  ensure(args.x.dtype() == args.y.dtype(), "dropout reads and writes one element type");
  // For a whole number w, w >= p · 2^32 is w >= its ceiling.
  const double threshold = std::ceil(args.probability * 0x1p32);
  ensure(threshold < 0x1p32, "dropout probability too near to 1");
  split(worker, args.x.rows(), grain_for(worker, args.x.rows(), 1), [&](int64_t begin, int64_t end) {
    HWY_DYNAMIC_DISPATCH(dropout_rows)(args, static_cast<uint32_t>(threshold), begin, end);
  });
}

}  // namespace anneal::cpu
#endif
