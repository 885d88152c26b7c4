#include <map>

#include "kernels/reference/elements.h"
#include "kernels/reference/reference.h"

namespace anneal::reference {
namespace {

int64_t id_of_row(const Tensor& ids, int64_t row, int64_t vocabulary) {
  const int64_t id = ids.as<int32_t>()[row];
  ensure(id >= 0 && id < vocabulary, "token id outside the embedding table");
  return id;
}

}  // namespace

void run(const Embedding::Forward& args) {
  for (int64_t i = 0; i < args.y.rows(); ++i) {
    const int64_t id = id_of_row(args.ids, i, args.table.rows());
    for (int64_t j = 0; j < args.y.columns(); ++j) put(args.y, i, j, args.scale * get(args.table, id, j));
  }
}

void run(const Embedding::Backward& args) {
  const int64_t width = args.dy.columns();
  std::map<int64_t, std::vector<double>> sums;  // by id: rounded once, however often the id comes
  for (int64_t i = 0; i < args.dy.rows(); ++i) {
    std::vector<double>& sum = sums[id_of_row(args.ids, i, args.dtable.rows())];
    sum.resize(static_cast<std::size_t>(width));
    for (int64_t j = 0; j < width; ++j) sum[static_cast<std::size_t>(j)] += args.scale * get(args.dy, i, j);
  }
  for (const auto& [id, sum] : sums) {
    for (int64_t j = 0; j < width; ++j) {
      put(args.dtable, id, j, get(args.dtable, id, j) + sum[static_cast<std::size_t>(j)]);
    }
  }
}

}  // namespace anneal::reference
