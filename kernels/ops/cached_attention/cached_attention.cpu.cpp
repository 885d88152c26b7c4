#include "kernels/ops/cached_attention/cached_attention.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/ops/cached_attention/cached_attention.cpu.cpp"
#include "kernels/cpu/targets.h"
// what follows is compiled for each instruction set
#include "kernels/cpu/element_types.h"
#include "kernels/ops/attention/attention_forward-inl.h"

HWY_BEFORE_NAMESPACE();
namespace anneal::cpu::HWY_NAMESPACE {

void cached_part(const CachedAttention::Forward& args, QueryRange positions, int64_t head, std::byte* memory) {
  const AttentionShape& shape = args.shape;
  const int64_t group = shape.heads / shape.kv_heads;
  const int64_t query_column = head * group * shape.head_size;
  const int64_t key_column = head * shape.head_size;
  dispatch_f32_bf16(args.query.dtype(), [&](auto zero) {
    using T = decltype(zero);
    const ForwardRows<T> rows{.query = {row_of<const T>(args.query, 0) + query_column, args.query.stride()},
                              .key = {row_of<const T>(args.keys, 0) + key_column, args.keys.stride()},
                              .value = {row_of<const T>(args.values, 0) + key_column, args.values.stride()},
                              .out = {row_of<T>(args.out, 0) + query_column, args.out.stride()},
                              .lse = {nullptr, 0},
                              .first_position = args.first_position};
    attend(shape, rows, positions, memory);
  });
}

}  // namespace anneal::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "kernels/cpu/team_tasks.h"

namespace anneal::cpu {
namespace {

HWY_EXPORT(cached_part);

void check(const CachedAttention::Forward& args) {
  const AttentionShape& shape = args.shape;
  ensure(shape.kv_heads > 0 && shape.heads % shape.kv_heads == 0, "query heads are no multiple of key/value heads");
  ensure(shape.head_size > 0 && shape.head_size <= 256, "attention has heads of up to 256 elements");
  ensure(args.first_position + args.query.rows() <= std::min(args.keys.rows(), args.values.rows()),
         "the cache is shorter than what attention reads of it");
  ensure(args.keys.dtype() == args.query.dtype() && args.values.dtype() == args.query.dtype() &&
             args.out.dtype() == args.query.dtype(),
         "the cache is of another element type than the query");
}

}  // namespace

int64_t scratch_bytes(const CachedAttention::Forward& args, int /*threads*/) {
  return ForwardScratch(AttentionBlocks(args.shape), nullptr).bytes;
}

void run(const CachedAttention::Forward& args, Worker worker) {
  if (args.query.rows() == 0) return;
  check(args);
  const AttentionBlocks blocks(args.shape);
  const int64_t bytes = scratch_bytes(args, worker.team.threads);
  const int64_t rows = args.query.rows();
  const int64_t parts = blocks.parts(rows);
  const double operations = 4.0 * double(rows) * double(args.first_position + rows) * double(args.query.columns());
  for_each_task(worker, parts * args.shape.kv_heads, operations, [&](int64_t task, int thread) {
    const int64_t part = parts - 1 - task / args.shape.kv_heads;  // the last see the most keys
    const QueryRange positions{args.first_position + part * blocks.part_queries,
                               args.first_position + std::min(rows, (part + 1) * blocks.part_queries)};
    HWY_DYNAMIC_DISPATCH(cached_part)
    (args, positions, task % args.shape.kv_heads, worker.team.scratch_of(thread, bytes));
  });
}

}  // namespace anneal::cpu
#endif
