#include "kernels/ops/attention/attention.h"

#include "kernels/ops/attention/scores.ref.h"
#include "kernels/reference/elements.h"
#include "kernels/reference/reference.h"

namespace anneal::reference {
namespace {

// Where the heads of one token stand in a row of qkv.
struct Columns {
  explicit Columns(const AttentionShape& s)
      : row((s.heads + 2 * s.kv_heads) * s.head_size),
        head_size(s.head_size),
        group(s.heads / s.kv_heads),
        first_key(s.heads * s.head_size),
        first_value((s.heads + s.kv_heads) * s.head_size) {}
  int64_t query(int64_t head) const { return head * head_size; }
  int64_t key(int64_t head) const { return first_key + head / group * head_size; }
  int64_t value(int64_t head) const { return first_value + head / group * head_size; }
  int64_t row, head_size, group, first_key, first_value;
};

}  // namespace

void run(const Attention::Forward& args) {
  const AttentionShape& shape = args.shape;
  const Columns columns(shape);
  const std::vector<double> qkv = all_of(args.qkv);
  std::vector<double> out(static_cast<std::size_t>(args.out.elements()));
  std::vector<double> lse(static_cast<std::size_t>(args.lse.elements()));
  for (std::size_t document = 0; document + 1 < args.bounds.size(); ++document) {
    const int64_t begin = args.bounds[document];
    const double* rows = qkv.data() + begin * columns.row;
    for (int64_t i = 0; i < args.bounds[document + 1] - begin; ++i) {
      for (int64_t head = 0; head < shape.heads; ++head) {
        const int64_t first = first_key(shape, i);
        const double* seen = rows + first * columns.row;
        const int64_t place = (begin + i) * shape.heads + head;
        lse[static_cast<std::size_t>(place)] =
            attend(shape, rows + i * columns.row + columns.query(head), seen + columns.key(head),
                   seen + columns.value(head), i - first + 1, columns.row, out.data() + place * shape.head_size);
      }
    }
  }
  put_all(args.out, out);
  put_all(args.lse, lse);
}

void run(const Attention::Backward& args) {
  const AttentionShape& shape = args.shape;
  const Columns columns(shape);
  const int64_t size = shape.head_size;
  const std::vector<double> qkv = all_of(args.qkv), out = all_of(args.out), lse = all_of(args.lse);
  const std::vector<double> dout = all_of(args.dout);
  std::vector<double> dqkv(qkv.size());
  for (std::size_t document = 0; document + 1 < args.bounds.size(); ++document) {
    const int64_t begin = args.bounds[document];
    for (int64_t head = 0; head < shape.heads; ++head) {
      for (int64_t i = begin; i < args.bounds[document + 1]; ++i) {
        const int64_t place = i * shape.heads + head;
        const double* query = qkv.data() + i * columns.row + columns.query(head);
        const double* slope = dout.data() + place * size;
        double* dquery = dqkv.data() + i * columns.row + columns.query(head);
        const double delta = dot(slope, out.data() + place * size, size);
        for (int64_t j = begin + first_key(shape, i - begin); j <= i; ++j) {
          const double* key = qkv.data() + j * columns.row + columns.key(head);
          const double* value = qkv.data() + j * columns.row + columns.value(head);
          double* dkey = dqkv.data() + j * columns.row + columns.key(head);
          double* dvalue = dqkv.data() + j * columns.row + columns.value(head);
          const double score = capped_score(shape, query, key);
          const double p = std::exp(score - lse[static_cast<std::size_t>(place)]);
          const double ds = p * (dot(slope, value, size) - delta) * cap_slope(shape, score) * shape.scale;
          for (int64_t d = 0; d < size; ++d) {
            dvalue[d] += p * slope[d];
            dquery[d] += ds * key[d];
            dkey[d] += ds * query[d];
          }
        }
      }
    }
  }
  put_all(args.dqkv, dqkv);
}

}  // namespace anneal::reference
