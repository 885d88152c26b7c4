#pragma once
// A (vocabulary, hidden) weight: the input embedding, the output head, or both where they are tied.

#include <string>

#include "engine/blocks/parameter.h"
#include "engine/blocks/projection.h"

namespace anneal::engine {

class TokenTable {
 public:
  TokenTable(const Projection::Context& context, std::string name, int64_t vocabulary, int64_t hidden);

  const LinearWeight& weight() const { return weight_; }
  const Tensor& gradient() const { return gradient_; }
  bool is_trained() const { return gradient_.exists(); }
  void parameters(ParameterList& list);

 private:
  std::string name_;
  LinearWeight weight_;
  Tensor master_, gradient_, first_, second_;
  bool has_separate_copy_ = false;
};

}  // namespace anneal::engine
