#include "kernels/reference/elements.h"
#include "kernels/reference/reference.h"

namespace anneal::reference {
namespace {

// One operand of a product as dense doubles, read as (rows, columns) or the other way round.
struct Operand {
  std::vector<double> values;
  int64_t row_step, column_step;
  double at(int64_t row, int64_t column) const {
    return values[static_cast<std::size_t>(row * row_step + column * column_step)];
  }
};
Operand plain(const Tensor& matrix) { return {all_of(matrix), matrix.columns(), 1}; }
Operand transposed(const Tensor& matrix) { return {all_of(matrix), 1, matrix.columns()}; }

struct Epilogue {
  double alpha;
  bool accumulate;
  Tensor bias;  // or none
};

// c = [c +] alpha · a b [+ bias], summed over `inner`.
void multiply(const Tensor& c, const Operand& a, const Operand& b, int64_t inner, const Epilogue& epilogue) {
  for (int64_t i = 0; i < c.rows(); ++i) {
    for (int64_t j = 0; j < c.columns(); ++j) {
      double sum = 0;
      for (int64_t k = 0; k < inner; ++k) sum += a.at(i, k) * b.at(k, j);
      sum *= epilogue.alpha;
      if (epilogue.bias.exists()) sum += get(epilogue.bias, j);
      if (epilogue.accumulate) sum += get(c, i, j);
      put(c, i, j, sum);
    }
  }
}

}  // namespace

void run(const Linear::Forward& args) {
  ensure(args.weight.plain.exists(), "the reference reads plain weights only");
  multiply(args.y, plain(args.x), transposed(args.weight.plain), args.weight.inputs,
           {args.alpha, args.accumulate, args.bias});
}

void run(const Linear::BackwardInput& args) {
  ensure(args.weight.plain.exists(), "the reference reads plain weights only");
  multiply(args.dx, plain(args.dy), plain(args.weight.plain), args.weight.outputs, {args.alpha, args.accumulate, {}});
}

void run(const Linear::BackwardWeight& args) {
  multiply(args.dweight, transposed(args.dy), plain(args.x), args.x.rows(), {args.alpha, args.accumulate, {}});
  if (!args.dbias.exists()) return;
  for (int64_t j = 0; j < args.dy.columns(); ++j) {
    double sum = args.accumulate ? get(args.dbias, j) : 0.0;
    for (int64_t i = 0; i < args.dy.rows(); ++i) sum += get(args.dy, i, j);
    put(args.dbias, j, sum);
  }
}

}  // namespace anneal::reference
