#pragma once
// The plain reference of every op: one thread, sums in double, results rounded to the tensor's own type (FP32, double,
// BF16). It is what each fast version is tested against, what finite differences are tested against, and what the
// thread-sanitizer build runs.

#include <memory>

#include "kernels/backend.h"

namespace anneal::reference {

#define ANNEAL_DECLARE_REFERENCE(Args, gradient) void run(const Args& args);
ANNEAL_FOR_EACH_OP(ANNEAL_DECLARE_REFERENCE)
#undef ANNEAL_DECLARE_REFERENCE

}  // namespace anneal::reference

namespace anneal {
// `part_rows` cuts rows as other backends do, so that parts are tested too.
std::unique_ptr<Backend> make_reference_backend(int64_t part_rows = 256);
}  // namespace anneal
