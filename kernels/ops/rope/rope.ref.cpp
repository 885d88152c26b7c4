#include "kernels/reference/elements.h"
#include "kernels/reference/reference.h"

namespace anneal::reference {
namespace {

// Turns every head of x by its row's angles, times `direction` (1 forward, -1 backward).
template <class Args>
void turn(const Tensor& x, const Args& args, double direction) {
  const int64_t half = args.cosine.columns();
  ensure(2 * half <= args.head_size, "rope has more rotary columns than a head");
  for (int64_t i = 0; i < x.rows(); ++i) {
    const int64_t position = args.positions.template as<int32_t>()[i];
    ensure(position >= 0 && position < args.cosine.rows(), "rope position outside its tables");
    for (int64_t head = 0; head < args.heads; ++head) {
      for (int64_t j = 0; j < half; ++j) {
        const int64_t first_column = head * args.head_size + j;
        const double first = get(x, i, first_column);
        const double second = get(x, i, first_column + half);
        const double cosine = get(args.cosine, position, j);
        const double sine = direction * get(args.sine, position, j);
        put(x, i, first_column, first * cosine - second * sine);
        put(x, i, first_column + half, second * cosine + first * sine);
      }
    }
  }
}

}  // namespace

void run(const Rope::Forward& args) { turn(args.x, args, 1.0); }
void run(const Rope::Backward& args) { turn(args.dx, args, -1.0); }

}  // namespace anneal::reference
