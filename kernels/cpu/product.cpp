#include "kernels/cpu/product.h"

#include <omp.h>
#include <oneapi/dnnl/dnnl.h>

#include "kernels/core/error.h"

namespace anneal::cpu {
namespace {

// oneDNN starts a team of its own where it is not called from one, and a region of one thread does not count as one.
class OneThread {
 public:
  OneThread() : saved_(omp_get_max_threads()) { omp_set_num_threads(1); }
  ~OneThread() { omp_set_num_threads(saved_); }
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  int saved_;
};

}  // namespace

void multiply(const Product& p) {
  const OneThread alone;
  const dnnl_status_t status =
      dnnl_sgemm(p.a.is_transposed ? 'T' : 'N', p.b.is_transposed ? 'T' : 'N', p.rows, p.columns, p.inner, p.alpha,
                 p.a.data, p.a.stride, p.b.data, p.b.stride, p.accumulate ? 1.0f : 0.0f, p.c, p.c_stride);
  ensure(status == dnnl_success, "oneDNN refused a product");
}

}  // namespace anneal::cpu
