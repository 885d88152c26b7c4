#pragma once
// A root-mean-square norm with its weight, as a part of a block: adds what is pending on the residual stream, norms it,
// and in backward sums its weight's gradient part by part.

#include <string>

#include "engine/blocks/parameter.h"
#include "engine/blocks/projection.h"

namespace anneal::engine {

class Norm {
 public:
  Norm(const Projection::Context& context, uint64_t number, std::string name, int64_t width, double epsilon);

  void forward(const Tensor& y, const Tensor& inv_rms, const Tensor& sum, const Tensor& x, const Tensor& pending,
               Part& part) const;
  // dx += …; the weight's gradient of these rows too, if it is trained.
  void backward(const Tensor& dx, const Tensor& dy, const Tensor& x, const Tensor& inv_rms, Part& part) const;
  void finish(Pass& pass);
  bool is_trained() const { return gradient_.exists(); }
  void parameters(ParameterList& list);

 private:
  std::string name_;
  double epsilon_;
  Tensor weight_, gradient_, first_, second_;
  Tensor partial_;  // (parts, width)
};

}  // namespace anneal::engine
