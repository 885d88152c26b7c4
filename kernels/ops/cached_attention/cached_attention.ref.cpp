#include "kernels/ops/cached_attention/cached_attention.h"

#include "kernels/ops/attention/scores.ref.h"
#include "kernels/reference/elements.h"
#include "kernels/reference/reference.h"

namespace anneal::reference {

void run(const CachedAttention::Forward& args) {
  const AttentionShape& shape = args.shape;
  const int64_t filled = args.first_position + args.query.rows();  // the rest of the cache holds nothing yet
  const std::vector<double> query = all_of(args.query);
  const std::vector<double> keys = all_of(args.keys.slice_rows(0, filled));
  const std::vector<double> values = all_of(args.values.slice_rows(0, filled));
  const int64_t stride = shape.kv_heads * shape.head_size;
  std::vector<double> out(query.size());
  for (int64_t row = 0; row < args.query.rows(); ++row) {
    const int64_t position = args.first_position + row;
    const int64_t first = first_key(shape, position);
    for (int64_t head = 0; head < shape.heads; ++head) {
      const int64_t place = (row * shape.heads + head) * shape.head_size;
      const int64_t seen = first * stride + head * shape.kv_heads / shape.heads * shape.head_size;
      attend(shape, query.data() + place, keys.data() + seen, values.data() + seen, position - first + 1, stride,
             out.data() + place);
    }
  }
  put_all(args.out, out);
}

}  // namespace anneal::reference
