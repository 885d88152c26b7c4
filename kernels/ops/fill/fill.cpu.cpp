#include <cstring>

#include "kernels/cpu/split.h"

namespace anneal::cpu {

void run(const Fill::Forward& args, Worker worker) {
  ensure(args.x.is_contiguous(), "fill clears contiguous tensors only");
  constexpr int64_t kPiece = 1 << 18;  // bytes
  split(worker, args.x.bytes(), kPiece, [&](int64_t begin, int64_t end) {
    if (begin == end) return;
    std::memset(static_cast<std::byte*>(args.x.data()) + begin, 0, static_cast<size_t>(end - begin));
  });
}

}  // namespace anneal::cpu
