#include "kernels/ops/attention/attention.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/ops/attention/attention.cpu.cpp"
#include "kernels/cpu/targets.h"
// what follows is compiled for each instruction set
#include "kernels/cpu/element_types.h"
#include "kernels/ops/attention/attention_backward-inl.h"
#include "kernels/ops/attention/attention_forward-inl.h"
#include "kernels/ops/attention/attention_parts.h"

HWY_BEFORE_NAMESPACE();
namespace anneal::cpu::HWY_NAMESPACE {

// A tensor's rows from `row` on, from `column` on.
template <class T>
Rows<T> rows_from(const Tensor& tensor, int64_t row, int64_t column) {
  return {row_of<T>(tensor, row) + column, tensor.stride()};
}

// Where the heads of one key/value head begin in a row of qkv.
struct HeadColumns {
  HeadColumns(const AttentionShape& shape, int64_t head)
      : query(head * (shape.heads / shape.kv_heads) * shape.head_size),
        key((shape.heads + head) * shape.head_size),
        value((shape.heads + shape.kv_heads + head) * shape.head_size),
        first_head(head * (shape.heads / shape.kv_heads)) {}
  int64_t query, key, value, first_head;
};

void forward_part(const Attention::Forward& args, AttentionPart part, int64_t head, std::byte* memory) {
  const auto document = static_cast<std::size_t>(part.document);
  const int64_t begin = args.bounds[document];
  const int64_t length = args.bounds[document + 1] - begin;
  const HeadColumns columns(args.shape, head);
  dispatch_f32_bf16(args.qkv.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const ForwardRows<T> rows{.query = rows_from<const T>(args.qkv, begin, columns.query),
                              .key = rows_from<const T>(args.qkv, begin, columns.key),
                              .value = rows_from<const T>(args.qkv, begin, columns.value),
                              .out = rows_from<T>(args.out, begin, columns.query),
                              .lse = rows_from<float>(args.lse, begin, columns.first_head)};
    attend(args.shape, rows, queries_of(AttentionBlocks(args.shape), part.index, length), memory);
  });
}

void backward_part(const Attention::Backward& args, AttentionPart part, int64_t head, const AttentionTurns& turns,
                   std::byte* memory) {
  const auto document = static_cast<std::size_t>(part.document);
  const int64_t begin = args.bounds[document];
  const int64_t length = args.bounds[document + 1] - begin;
  const HeadColumns columns(args.shape, head);
  dispatch_f32_bf16(args.qkv.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const BackwardRows<T> rows{.query = rows_from<const T>(args.qkv, begin, columns.query),
                               .key = rows_from<const T>(args.qkv, begin, columns.key),
                               .value = rows_from<const T>(args.qkv, begin, columns.value),
                               .out = rows_from<const T>(args.out, begin, columns.query),
                               .dout = rows_from<const T>(args.dout, begin, columns.query),
                               .lse = rows_from<const float>(args.lse, begin, columns.first_head),
                               .dquery = rows_from<T>(args.dqkv, begin, columns.query),
                               .dkey = rows_from<T>(args.dqkv, begin, columns.key),
                               .dvalue = rows_from<T>(args.dqkv, begin, columns.value)};
    BackwardPart<T>(args.shape, rows, queries_of(AttentionBlocks(args.shape), part.index, length), memory).run(turns);
  });
}

}  // namespace anneal::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "kernels/cpu/team_tasks.h"

namespace anneal::cpu {
namespace {

HWY_EXPORT(forward_part);
HWY_EXPORT(backward_part);

// What the scratch of each thread holds; the lists are used in the first thread's alone.
struct ScratchPlan {
  int64_t part_bytes = 0;  // of the part that the thread is at
  int64_t list_bytes = 0;  // parts of the batch
  int64_t turn_bytes = 0;  // how far each part is
  int64_t tokens = 0;      // with FP32 sums in this thread's scratch
  int64_t sum_columns = 0;
  int64_t total() const {
    return part_bytes + list_bytes + turn_bytes + tokens * sum_columns * static_cast<int64_t>(sizeof(float));
  }
};

int64_t list_bytes(int64_t tokens) {
  return round_up(tokens * static_cast<int64_t>(sizeof(AttentionPart)), Arena::kAlignment);
}

ScratchPlan plan_of(const Attention::Forward& args) {
  return {.part_bytes = ForwardScratch(AttentionBlocks(args.shape), nullptr).bytes,
          .list_bytes = list_bytes(args.qkv.rows())};
}

ScratchPlan plan_of(const Attention::Backward& args, int threads) {
  const bool sums_are_apart = args.qkv.dtype() != DType::kF32;
  return {.part_bytes = BackwardScratch(AttentionBlocks(args.shape), nullptr).bytes,
          .list_bytes = list_bytes(args.qkv.rows()),
          .turn_bytes = round_up(args.qkv.rows() * args.shape.kv_heads * static_cast<int64_t>(sizeof(int32_t)),
                                 Arena::kAlignment),
          .tokens = sums_are_apart ? (args.qkv.rows() + threads - 1) / threads : 0,
          .sum_columns = 2 * args.shape.kv_heads * args.shape.head_size};
}

template <class Args>
void check(const Args& args, const Worker& worker) {
  const AttentionShape& shape = args.shape;
  ensure(worker.is_whole(), "attention is an op of the whole team");
  ensure(shape.kv_heads > 0 && shape.heads % shape.kv_heads == 0, "query heads are no multiple of key/value heads");
  ensure(shape.head_size > 0 && shape.head_size <= 256, "attention has heads of up to 256 elements");
  ensure(args.bounds.front() == 0 && args.bounds.back() == args.qkv.rows(), "documents do not cover the tokens");
  ensure(std::is_sorted(args.bounds.begin(), args.bounds.end()), "documents are not in order");
  ensure(args.out.dtype() == args.qkv.dtype(), "attention's output is of another type than its input");
}

// The turns of the part at `place` of the list, for one key/value head.
AttentionTurns turns_of(const Attention::Backward& args, std::span<const AttentionPart> parts, std::size_t place,
                        int64_t head, int32_t* done) {
  const AttentionBlocks blocks(args.shape);
  const AttentionPart part = parts[place];
  const auto document = static_cast<std::size_t>(part.document);
  const int64_t length = args.bounds[document + 1] - args.bounds[document];
  const auto kv_heads = static_cast<std::size_t>(args.shape.kv_heads);
  int32_t* own = done + place * kv_heads + static_cast<std::size_t>(head);
  AttentionTurns turns{.done = own, .first_token = args.bounds[document]};
  if (part.index + 1 < blocks.parts(length)) {  // it stands before this one in the list
    turns.later = own - kv_heads;
    turns.later_first_block = first_key_block(args.shape, blocks, queries_of(blocks, part.index + 1, length));
  }
  if (part.index > 0) turns.earlier_end = queries_of(blocks, part.index - 1, length).end;
  turns.key_column = head * args.shape.head_size;
  turns.value_column = (args.shape.kv_heads + head) * args.shape.head_size;
  return turns;
}

}  // namespace

int64_t scratch_bytes(const Attention::Forward& args, int /*threads*/) { return plan_of(args).total(); }
int64_t scratch_bytes(const Attention::Backward& args, int threads) { return plan_of(args, threads).total(); }

void run(const Attention::Forward& args, Worker worker) {
  if (args.qkv.rows() == 0) return;
  check(args, worker);
  const ScratchPlan plan = plan_of(args);
  std::byte* scratch = worker.scratch(plan.total());
  const auto parts =
      list_parts(args.bounds, AttentionBlocks(args.shape), reinterpret_cast<AttentionPart*>(scratch + plan.part_bytes));
  for_each_task(worker, std::ssize(parts) * args.shape.kv_heads, [&](int64_t task, int thread) {
    HWY_DYNAMIC_DISPATCH(forward_part)(args, parts[static_cast<std::size_t>(task / args.shape.kv_heads)],
                                       task % args.shape.kv_heads, worker.team.scratch_of(thread, plan.total()));
  });
}

void run(const Attention::Backward& args, Worker worker) {
  if (args.qkv.rows() == 0) return;
  check(args, worker);
  const ScratchPlan plan = plan_of(args, worker.team.threads);
  std::byte* scratch = worker.scratch(plan.total());
  const auto parts =
      list_parts(args.bounds, AttentionBlocks(args.shape), reinterpret_cast<AttentionPart*>(scratch + plan.part_bytes));
  auto* done = reinterpret_cast<int32_t*>(scratch + plan.part_bytes + plan.list_bytes);
  std::fill_n(done, std::ssize(parts) * args.shape.kv_heads, 0);
  const TokenSums sums{.scratch = scratch + plan.part_bytes + plan.list_bytes + plan.turn_bytes,
                       .thread_stride = worker.team.scratch_stride,
                       .tokens_per_thread = std::max<int64_t>(1, plan.tokens),
                       .columns = plan.sum_columns};
  for_each_task(worker, std::ssize(parts) * args.shape.kv_heads, [&](int64_t task, int thread) {
    const auto place = static_cast<std::size_t>(task / args.shape.kv_heads);
    const int64_t head = task % args.shape.kv_heads;
    AttentionTurns turns = turns_of(args, parts, place, head, done);
    turns.token_sums = sums;
    HWY_DYNAMIC_DISPATCH(backward_part)(args, parts[place], head, turns, worker.team.scratch_of(thread, plan.total()));
  });
}

}  // namespace anneal::cpu
#endif
