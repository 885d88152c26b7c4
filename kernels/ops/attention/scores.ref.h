#pragma once
// What the references of attention and of attention over a cache share: one query row against a run of keys.

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/ops/attention/attention.h"

namespace anneal::reference {

inline double dot(const double* a, const double* b, int64_t count) {
  double sum = 0;
  for (int64_t i = 0; i < count; ++i) sum += a[i] * b[i];
  return sum;
}

// The first key that query `position` sees, both counted from the start of the document.
inline int64_t first_key(const AttentionShape& shape, int64_t position) {
  return shape.window > 0 ? std::max<int64_t>(0, position - shape.window + 1) : 0;
}

inline double capped_score(const AttentionShape& shape, const double* query, const double* key) {
  const double score = shape.scale * dot(query, key, shape.head_size);
  return shape.soft_cap > 0 ? shape.soft_cap * std::tanh(score / shape.soft_cap) : score;
}

// d capped / d score, from the capped score.
inline double cap_slope(const AttentionShape& shape, double capped) {
  if (shape.soft_cap <= 0) return 1;
  const double ratio = capped / shape.soft_cap;
  return 1 - ratio * ratio;
}

// Σ_j softmax(s)_j v_j over `count` keys, `stride` doubles from one to the next, into `out`; returns log Σ_j exp(s_j).
inline double attend(const AttentionShape& shape, const double* query, const double* keys, const double* values,
                     int64_t count, int64_t stride, double* out) {
  std::vector<double> scores(static_cast<std::size_t>(count));
  for (int64_t j = 0; j < count; ++j) {
    scores[static_cast<std::size_t>(j)] = capped_score(shape, query, keys + j * stride);
  }
  const double largest = *std::max_element(scores.begin(), scores.end());
  double total = 0;
  for (double& score : scores) total += score = std::exp(score - largest);
  std::fill_n(out, shape.head_size, 0.0);
  for (int64_t j = 0; j < count; ++j) {
    const double weight = scores[static_cast<std::size_t>(j)] / total;
    for (int64_t d = 0; d < shape.head_size; ++d) out[d] += weight * values[j * stride + d];
  }
  return largest + std::log(total);
}

}  // namespace anneal::reference
