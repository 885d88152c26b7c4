#pragma once
// One batch of rows before the output head, and what the op makes of it.

#include <vector>

#include "kernels/ops/linear_cross_entropy/linear_cross_entropy.h"
#include "tests/kernels/ops/test_tensor.h"

namespace anneal::tests {

struct HeadSizes {
  int64_t rows = 0, vocabulary = 0, width = 0;
  int64_t chunk = 4;  // labelled rows at a time
  double logit_scale = 1, soft_cap = 0;
};

struct HeadBatch {
  HeadSizes sizes;
  TestTensor hidden, weight, targets, row_weight;  // in
  TestTensor row_loss, dhidden, dweight;           // made by the op
  TestTensor logits, gathered, dgathered;          // scratch

  // Every third row has no target.
  HeadBatch(const HeadSizes& wanted, DType dtype, uint64_t seed = 1) : sizes(wanted) {
    const DType wide = dtype == DType::kF64 ? DType::kF64 : DType::kF32;
    RandomStream random(seed, RandomUse::kSampling);
    std::vector<int32_t> labels;
    for (int64_t row = 0; row < sizes.rows; ++row) {
      const auto label = static_cast<int32_t>(random.next_below(static_cast<uint64_t>(sizes.vocabulary)));
      labels.push_back(row % 3 == 1 ? kNoTarget : label);
    }
    targets = whole_numbers(labels);
    hidden = TestTensor(dtype, sizes.rows, sizes.width).randomize(seed, 2.0);
    weight = TestTensor(wide, sizes.vocabulary, sizes.width).randomize(seed + 1);
    row_weight = TestTensor(wide, sizes.rows, 1).randomize(seed + 2);
    row_loss = TestTensor(wide, sizes.rows);
    dhidden = TestTensor(dtype, sizes.rows, sizes.width);
    dweight = TestTensor(wide, sizes.vocabulary, sizes.width);
    logits = TestTensor(wide, sizes.chunk, sizes.vocabulary);
    gathered = TestTensor(dtype, sizes.chunk, sizes.width);
    dgathered = gathered;
  }

  LinearWeight linear_weight() const {
    return {.plain = weight, .forward = {}, .backward = {}, .outputs = sizes.vocabulary, .inputs = sizes.width};
  }
  LinearCrossEntropy::Forward forward() const {
    return {.row_loss = row_loss,
            .hidden = hidden,
            .weight = linear_weight(),
            .targets = targets,
            .logits = logits,
            .gathered = gathered,
            .logit_scale = sizes.logit_scale,
            .soft_cap = sizes.soft_cap};
  }
  LinearCrossEntropy::ForwardBackward forward_backward() const {
    return {.row_loss = row_loss,
            .dhidden = dhidden,
            .dweight = dweight,
            .hidden = hidden,
            .weight = linear_weight(),
            .targets = targets,
            .row_weight = row_weight,
            .logits = logits,
            .gathered = gathered,
            .dgathered = dgathered,
            .logit_scale = sizes.logit_scale,
            .soft_cap = sizes.soft_cap};
  }
};

}  // namespace anneal::tests
