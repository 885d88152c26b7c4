#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/ops/convert/convert.cpu.cpp"
#include "kernels/cpu/targets.h"
// what follows is compiled for each instruction set
#include "kernels/cpu/element_types.h"
#include "kernels/cpu/split.h"
#include "kernels/cpu/vectors-inl.h"

HWY_BEFORE_NAMESPACE();
namespace anneal::cpu::HWY_NAMESPACE {

template <class Out, class In>
void convert_row(Out* out, const In* in, const Convert::Forward& args, size_t columns) {
  const auto scale = hn::Set(Floats(), static_cast<float>(args.scale));
  // Not multiplied when the factor is one: threads that flush denormals would change small numbers.
  const bool is_scaled = args.scale != 1.0;
  for_each_vector(columns, [=, round = args.round_to_bf16](size_t i, size_t n) ANNEAL_INLINE {
    auto value = load(in + i, n);
    if (is_scaled) value = hn::Mul(value, scale);
    if (round) value = rounded_to_bf16(value);
    store(value, out + i, n);
  });
}

void convert_rows(const Convert::Forward& args, int64_t begin, int64_t end) {
  dispatch_f32_bf16(args.out.dtype(), [&](auto out_type) {
    dispatch_f32_bf16(args.in.dtype(), [&](auto in_type) {
      using Out = decltype(out_type);
      using In = decltype(in_type);
      for (int64_t row = begin; row < end; ++row) {
        convert_row(row_of<Out>(args.out, row), row_of<In>(args.in, row), args, static_cast<size_t>(args.in.columns()));
      }
    });
  });
}

}  // namespace anneal::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace anneal::cpu {

HWY_EXPORT(convert_rows);

void run(const Convert::Forward& args, Worker worker) {
  constexpr int64_t kPiece = 1 << 16;  // elements: long enough to be worth handing out
  const int64_t rows_of_a_piece = std::max<int64_t>(1, kPiece / std::max<int64_t>(1, args.in.columns()));
  split(worker, args.in.rows(), rows_of_a_piece,
        [&](int64_t begin, int64_t end) { HWY_DYNAMIC_DISPATCH(convert_rows)(args, begin, end); });
}

}  // namespace anneal::cpu
#endif
