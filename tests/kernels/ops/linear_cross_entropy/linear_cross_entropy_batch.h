#pragma once
// One batch of rows before the output head, for tests.

#include <vector>

#include "kernels/ops/linear_cross_entropy/linear_cross_entropy.h"
#include "tests/kernels/ops/owned_tensor.h"

namespace anneal {

struct HeadSizes {
  int64_t rows = 0, vocabulary = 0, width = 0;
  int64_t chunk = 4;  // labelled rows at a time
  double logit_scale = 1, soft_cap = 0;
};

struct HeadBatch {
  HeadSizes sizes;
  std::vector<int32_t> targets;
  OwnedTensor hidden, weight, row_weight;   // in
  OwnedTensor row_loss, dhidden, dweight;   // made by the op
  OwnedTensor logits, gathered, dgathered;  // scratch

  // Every third row has no target.
  HeadBatch(const HeadSizes& wanted, DType dtype, uint64_t seed = 1) : sizes(wanted) {
    const DType wide = dtype == DType::kF64 ? DType::kF64 : DType::kF32;
    RandomStream random(seed, RandomUse::kSampling);
    for (int64_t row = 0; row < sizes.rows; ++row) {
      const auto target = static_cast<int32_t>(random.next_below(static_cast<uint64_t>(sizes.vocabulary)));
      targets.push_back(row % 3 == 1 ? kNoTarget : target);
    }
    hidden = normal_tensor(dtype, {sizes.rows, sizes.width}, seed);
    weight = normal_tensor(wide, {sizes.vocabulary, sizes.width}, seed + 1, 0.5);
    row_weight = normal_tensor(wide, {sizes.rows}, seed + 2);
    row_loss = OwnedTensor(wide, {sizes.rows});
    dhidden = OwnedTensor(dtype, {sizes.rows, sizes.width});
    dweight = OwnedTensor(wide, {sizes.vocabulary, sizes.width});
    logits = OwnedTensor(wide, {sizes.chunk, sizes.vocabulary});
    gathered = OwnedTensor(dtype, {sizes.chunk, sizes.width});
    dgathered = OwnedTensor(dtype, {sizes.chunk, sizes.width});
  }

  Tensor target_view() { return Tensor(targets.data(), DType::kI32, {sizes.rows}); }
  LinearWeight linear_weight() const {
    return {.plain = weight.view(), .forward = {}, .backward = {}, .outputs = sizes.vocabulary, .inputs = sizes.width};
  }
  LinearCrossEntropy::Forward forward() {
    return {.row_loss = row_loss.view(),
            .hidden = hidden.view(),
            .weight = linear_weight(),
            .targets = target_view(),
            .logits = logits.view(),
            .gathered = gathered.view(),
            .logit_scale = sizes.logit_scale,
            .soft_cap = sizes.soft_cap};
  }
  LinearCrossEntropy::ForwardBackward forward_backward() {
    return {.row_loss = row_loss.view(),
            .dhidden = dhidden.view(),
            .dweight = dweight.view(),
            .hidden = hidden.view(),
            .weight = linear_weight(),
            .targets = target_view(),
            .row_weight = row_weight.view(),
            .logits = logits.view(),
            .gathered = gathered.view(),
            .dgathered = dgathered.view(),
            .logit_scale = sizes.logit_scale,
            .soft_cap = sizes.soft_cap};
  }
};

}  // namespace anneal
