#include "kernels/ops/linear_cross_entropy/linear_cross_entropy.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/ops/linear_cross_entropy/linear_cross_entropy.cpu.cpp"
#include "kernels/cpu/targets.h"
// what follows is compiled for each instruction set
#include "kernels/cpu/soft_cap-inl.h"
#include "kernels/ops/linear_cross_entropy/logit_row.h"

HWY_BEFORE_NAMESPACE();
namespace anneal::cpu::HWY_NAMESPACE {

// Σ exp(logit − largest). Sums of a thousand in FP32, their sum in double: right for any vocabulary.
double sum_exponentials(const float* logits, size_t count, float largest) {
  constexpr size_t kBlock = 1024;
  const Floats d;
  double total = 0;
  for (size_t block = 0; block < count; block += kBlock) {
    auto sum = hn::Zero(d);
    for_each_vector(std::min(kBlock, count - block), [&](size_t i, size_t n) ANNEAL_INLINE {
      const auto weight = exp_of_negative(hn::Sub(load(logits + block + i, n), hn::Set(d, largest)));
      sum = hn::Add(sum, hn::IfThenElseZero(hn::FirstN(d, n), weight));
    });
    total += static_cast<double>(hn::GetLane(hn::SumOfLanes(d, sum)));
  }
  return total;
}

float cap_and_find_largest(float* logits, size_t count, float soft_cap) {
  const Floats d;
  auto largest = hn::Set(d, logits[0]);
  for_each_vector(count, [&](size_t i, size_t n) ANNEAL_INLINE {
    auto logit = load(logits + i, n);
    if (soft_cap > 0) {
      logit = capped(logit, soft_cap);
      store(logit, logits + i, n);
    }
    largest = hn::IfThenElse(hn::FirstN(d, n), hn::Max(largest, logit), largest);
  });
  return hn::GetLane(hn::MaxOfLanes(d, largest));
}

// Logits become d loss / d logits, of the product before the cap.
void write_gradient(const LogitRow& row, float largest, double total) {
  const Floats d;
  const auto scale = hn::Set(d, static_cast<float>(row.weight / total));
  const float soft_cap = row.soft_cap;
  const float target_logit = row.logits[row.target];
  for_each_vector(row.count, [&](size_t i, size_t n) ANNEAL_INLINE {
    const auto logit = load(row.logits + i, n);
    auto slope = hn::Mul(exp_of_negative(hn::Sub(logit, hn::Set(d, largest))), scale);
    if (soft_cap > 0) slope = hn::Mul(slope, cap_slope(logit, soft_cap));
    store(slope, row.logits + i, n);
  });
  const float ratio = soft_cap > 0 ? target_logit / soft_cap : 0;
  row.logits[row.target] -= row.weight * (1 - ratio * ratio);
}

// Returns the row's loss; with `wants_gradient` its logits become their gradient.
float finish_row(const LogitRow& row, bool wants_gradient) {
  const float largest = cap_and_find_largest(row.logits, row.count, row.soft_cap);
  const double total = sum_exponentials(row.logits, row.count, largest);
  const double loss = std::log(total) + (static_cast<double>(largest) - static_cast<double>(row.logits[row.target]));
  if (wants_gradient) write_gradient(row, largest, total);
  return static_cast<float>(loss);
}

}  // namespace anneal::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>

#include "kernels/cpu/element_types.h"
#include "kernels/cpu/team_tasks.h"

namespace anneal::cpu {
namespace {

HWY_EXPORT(finish_row);

template <class Args>
constexpr bool kHasGradient = std::is_same_v<Args, LinearCrossEntropy::ForwardBackward>;

// The list of a chunk's rows stands before what the products need.
template <class Args>
int64_t list_bytes(const Args& args) {
  const int64_t bytes = args.logits.rows() * static_cast<int64_t>(sizeof(int32_t));
  return (bytes + Arena::kAlignment - 1) / Arena::kAlignment * Arena::kAlignment;
}

// One chunk of labelled rows on its way through the head.
template <class Args>
class Chunk {
 public:
  Chunk(const Args& args, Worker worker)
      : args_(args),
        worker_(worker),
        team_(worker.team),
        rows_(reinterpret_cast<int32_t*>(worker.scratch(list_bytes(args)))) {
    team_.scratch += list_bytes(args);
    team_.scratch_stride -= list_bytes(args);
  }

  bool is_full() const { return count_ == args_.logits.rows(); }
  void add(int32_t row) {
    copy_row(args_.hidden, row, args_.gathered, count_);
    rows_[count_++] = row;
  }

  void finish() {
    if (count_ == 0) return;
    const Tensor logits = args_.logits.slice_rows(0, count_);
    const Tensor gathered = args_.gathered.slice_rows(0, count_);
    run(Linear::Forward{.y = logits, .x = gathered, .weight = args_.weight, .bias = {}, .alpha = args_.logit_scale},
        Worker{team_});
    for_each_task(worker_, count_, [&](int64_t index, int) { finish_row_of(logits, index); });
    if constexpr (kHasGradient<Args>) hand_down(logits, gathered);
    count_ = 0;
  }

 private:
  void finish_row_of(const Tensor& logits, int64_t index) {
    const int64_t row = rows_[index];
    LogitRow logit_row{.logits = row_of<float>(logits, index),
                       .count = static_cast<std::size_t>(args_.weight.outputs),
                       .target = args_.targets.template as<int32_t>()[row],
                       .soft_cap = static_cast<float>(args_.soft_cap)};
    if constexpr (kHasGradient<Args>) logit_row.weight = f32(args_.row_weight)[row];
    f32(args_.row_loss)[row] = HWY_DYNAMIC_DISPATCH(finish_row)(logit_row, kHasGradient<Args>);
  }

  void hand_down(const Tensor& slopes, const Tensor& gathered) {
    const Tensor dgathered = args_.dgathered.slice_rows(0, count_);
    run(Linear::BackwardInput{.dx = dgathered, .dy = slopes, .weight = args_.weight, .alpha = args_.logit_scale},
        Worker{team_});
    if (args_.dweight.exists()) {
      run(
          Linear::BackwardWeight{
              .dweight = args_.dweight, .dbias = {}, .dy = slopes, .x = gathered, .alpha = args_.logit_scale},
          Worker{team_});
    }
    for (int64_t index = 0; index < count_; ++index) copy_row(dgathered, index, args_.dhidden, rows_[index]);
  }

  static void copy_row(const Tensor& from, int64_t from_row, const Tensor& to, int64_t to_row) {
    std::memcpy(to.slice_rows(to_row, to_row + 1).data(), from.slice_rows(from_row, from_row + 1).data(),
                static_cast<std::size_t>(from.columns() * size_of(from.dtype())));
  }

  const Args& args_;
  Worker worker_;
  Team team_;  // with the scratch after the list
  int32_t* rows_;
  int64_t count_ = 0;
};

template <class Args>
void check(const Args& args, const Worker& worker) {
  ensure(worker.is_whole(), "the output head is an op of the whole team");
  ensure(args.logits.rows() > 0 && args.gathered.rows() >= args.logits.rows(), "the output head has no room for a row");
  ensure(args.logits.columns() == args.weight.outputs, "the room for logits is not as wide as the vocabulary");
  ensure(args.gathered.dtype() == args.hidden.dtype(), "rows are gathered as another type than they have");
}

template <class Args>
void run_head(const Args& args, const Worker& worker) {
  check(args, worker);
  const auto* targets = args.targets.template as<int32_t>();
  float* row_loss = f32(args.row_loss);
  Chunk<Args> chunk(args, worker);
  for (int64_t row = 0; row < args.hidden.rows(); ++row) {
    if (targets[row] == kNoTarget) {
      row_loss[row] = 0;
      continue;
    }
    ensure(targets[row] >= 0 && targets[row] < args.weight.outputs, "a target outside the vocabulary");
    chunk.add(static_cast<int32_t>(row));
    if (chunk.is_full()) chunk.finish();
  }
  chunk.finish();
  if constexpr (kHasGradient<Args>) {
    const auto bytes = static_cast<std::size_t>(args.dhidden.columns() * size_of(args.dhidden.dtype()));
    for (int64_t row = 0; row < args.hidden.rows(); ++row) {
      if (targets[row] == kNoTarget) std::memset(args.dhidden.slice_rows(row, row + 1).data(), 0, bytes);
    }
  }
}

Linear::Forward product_of(const Tensor& logits, const Tensor& gathered, const LinearWeight& weight) {
  return {.y = logits, .x = gathered, .weight = weight, .bias = {}};
}

}  // namespace

int64_t scratch_bytes(const LinearCrossEntropy::Forward& args, int threads) {
  return list_bytes(args) + scratch_bytes(product_of(args.logits, args.gathered, args.weight), threads);
}
int64_t scratch_bytes(const LinearCrossEntropy::ForwardBackward& args, int threads) {
  const Linear::BackwardInput down{.dx = args.dgathered, .dy = args.logits, .weight = args.weight};
  const Linear::BackwardWeight weight{.dweight = args.dweight, .dbias = {}, .dy = args.logits, .x = args.gathered};
  return list_bytes(args) +
         std::max({scratch_bytes(product_of(args.logits, args.gathered, args.weight), threads),
                   scratch_bytes(down, threads), args.dweight.exists() ? scratch_bytes(weight, threads) : 0});
}

void run(const LinearCrossEntropy::Forward& args, Worker worker) { run_head(args, worker); }
void run(const LinearCrossEntropy::ForwardBackward& args, Worker worker) { run_head(args, worker); }

}  // namespace anneal::cpu
#endif
