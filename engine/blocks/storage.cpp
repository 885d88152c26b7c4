#include "engine/blocks/storage.h"

namespace anneal::engine {

std::string_view name_of(Rung rung) {
  constexpr std::string_view kNames[] = {"none", "activation", "norm", "feed_forward", "attention", "block"};
  return kNames[static_cast<int>(rung)];
}

bool Storage::is_kept(const SlotSpec& spec) const {
  if (plan_.keeps_nothing || spec.keep == Keep::kNever) return false;
  return spec.keep == Keep::kAlways || plan_.dropped < spec.rung;
}

Slot Storage::make(const SlotSpec& spec) {
  if (is_kept(spec)) {
    return {arena_.take("activations", spec.dtype, {plan_.max_tokens, spec.columns}), true, false};
  }
  if (spec.is_whole) {
    return {shared("shared activations", spec.name, spec.dtype, {plan_.max_tokens, spec.columns}), false, false};
  }
  return {shared("shared activations", spec.name, spec.dtype, {threads_ * part_rows_, spec.columns}), false, true};
}

Tensor Storage::shared(std::string_view label, std::string_view name, DType dtype,
                       std::initializer_list<int64_t> sizes) {
  std::string key(name);
  for (const int64_t size : sizes) key += fmt::format("/{}", size);
  key += name_of(dtype);
  const auto found = shared_.find(key);
  if (found != shared_.end()) return found->second;
  return shared_.emplace(std::move(key), arena_.take(label, dtype, sizes)).first->second;
}

}  // namespace anneal::engine
