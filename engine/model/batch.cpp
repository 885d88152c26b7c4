#include "engine/model/batch.h"

#include <algorithm>

namespace anneal::engine {
namespace {

void store(const Tensor& tensor, int64_t at, double value) {
  if (tensor.dtype() == DType::kF64) {
    tensor.as<double>()[at] = value;
  } else {
    tensor.as<float>()[at] = static_cast<float>(value);
  }
}

}  // namespace

BatchMemory::BatchMemory(Arena& arena, int64_t max_tokens, DType master)
    : max_tokens_(max_tokens),
      ids_(arena.take("batch", DType::kI32, {max_tokens})),
      positions_(arena.take("batch", DType::kI32, {max_tokens})),
      targets_(arena.take("batch", DType::kI32, {max_tokens})),
      row_weight_(arena.take("batch", master, {max_tokens})),
      places_(arena.take("batch", DType::kI64, {max_tokens})) {
  bounds_.reserve(static_cast<std::size_t>(max_tokens) + 1);
}

void BatchMemory::clear() { bounds_.resize(1); }

void BatchMemory::add(const Document& document, double loss_scale, int64_t place) {
  const int64_t begin = tokens();
  const auto length = static_cast<int64_t>(document.ids.size());
  ensure(begin + length <= max_tokens_, "a micro-batch is larger than planned");
  ensure(document.labels.empty() || document.labels.size() == document.ids.size(),
         "a document with other numbers of ids and labels");
  if (length == 0) return;
  std::copy(document.ids.begin(), document.ids.end(), ids_.as<int32_t>() + begin);
  for (int64_t i = 0; i < length; ++i) {
    const auto at = static_cast<std::size_t>(i);
    positions_.as<int32_t>()[begin + i] = static_cast<int32_t>(i);
    // What is predicted at the next place is predicted from this one.
    targets_.as<int32_t>()[begin + i] =
        document.labels.empty() || i + 1 == length ? kNoTarget : document.labels[at + 1];
    store(row_weight_, begin + i, loss_scale);
    places_.as<int64_t>()[begin + i] = place + i;
  }
  bounds_.push_back(static_cast<int32_t>(begin + length));
}

void BatchMemory::add_continued(std::span<const int32_t> ids, int64_t first_position) {
  add({.ids = ids, .labels = {}}, 0, 0);
  for (int64_t i = 0; i < static_cast<int64_t>(ids.size()); ++i) {
    positions_.as<int32_t>()[i] = static_cast<int32_t>(first_position + i);
  }
}

BatchView BatchMemory::view(int64_t max_length) const {
  const int64_t count = tokens();
  const auto rows = [&](const Tensor& tensor) { return tensor.slice_rows(0, count); };
  return {.tokens = count,
          .max_length = max_length,
          .bounds = bounds_,
          .ids = rows(ids_),
          .positions = rows(positions_),
          .targets = rows(targets_),
          .row_weight = rows(row_weight_),
          .places = rows(places_)};
}

}  // namespace anneal::engine
