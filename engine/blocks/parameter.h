#pragma once
// A weight under the name that files give it. Products may join several into one matrix: then each is a slice of rows.

#include <string>
#include <vector>

#include "kernels/core/tensor.h"

namespace anneal::engine {

struct Parameter {
  std::string name;            // in the model's files; an adapter's in PEFT's form
  std::vector<int64_t> shape;  // in the file
  Tensor value;                // contiguous; what is trained (FP32), or what the products read when frozen
  Tensor copy;                 // trained weights in BF16 runs: rounded for the products; else none
  Tensor gradient;             // none when frozen
  Tensor first_moment;
  Tensor second_moment;
  bool is_adapter = false;
  bool is_norm = false;  // decays only with decay_norms (biases too)

  bool is_trained() const { return gradient.exists(); }
  int64_t elements() const { return value.elements(); }
};

using ParameterList = std::vector<Parameter>;

}  // namespace anneal::engine
