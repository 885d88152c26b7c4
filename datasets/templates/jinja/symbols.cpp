#include "datasets/templates/jinja/symbols.h"

#include "kernels/core/error.h"

namespace anneal::datasets::jinja {

int FunctionPlan::slot_of(int level, const std::string& name) {
  const auto [found, is_new] = slots.try_emplace({level, name}, function->slot_count);
  if (is_new) ++function->slot_count;
  return found->second;
}

int Symbols::define(const std::string& name, Load load) {
  const int slot = function_->slot_of(level_, name);
  references_[name] = slot;
  loads_[slot] = std::move(load);
  return slot;
}

std::optional<Reference> Symbols::find(const std::string& name) const {
  for (const Symbols* scope = this; scope != nullptr; scope = scope->outer_) {
    const auto found = scope->references_.find(name);
    if (found != scope->references_.end()) return Reference{scope->function_, found->second};
  }
  return std::nullopt;
}

void Symbols::load(const std::string& name) {
  if (!find(name)) define(name, {.from = ScopeLoad::From::kContext, .name = name});
}

void Symbols::store(const std::string& name) {
  stores_.insert(name);
  if (references_.contains(name)) return;
  if (outer_ != nullptr) {
    if (const auto outer = outer_->find(name)) {
      define(name, {.from = ScopeLoad::From::kOuter, .outer = outer});
      return;
    }
  }
  define(name, {});
}

int Symbols::declare_parameter(const std::string& name) {
  stores_.insert(name);
  return define(name, {.is_parameter = true});
}

void Symbols::merge(const std::vector<const Symbols*>& branches) {
  std::set<std::string> stored;
  for (const Symbols* branch : branches) {
    for (const std::string& name : branch->stores_) {
      if (!stores_.contains(name)) stored.insert(name);
    }
  }
  for (const Symbols* branch : branches) {
    for (const auto& [name, slot] : branch->references_) references_[name] = slot;
    for (const auto& [slot, load] : branch->loads_) loads_[slot] = load;
    stores_.insert(branch->stores_.begin(), branch->stores_.end());
  }
  // Whether a branch that stores it is taken is not known, so it begins as what it is outside.
  for (const std::string& name : stored) {
    const auto slot = find(name);
    ensure(slot.has_value(), "a stored name has no place");
    const auto outer = outer_ == nullptr ? std::nullopt : outer_->find(name);
    loads_[slot->index] = outer ? Load{.from = ScopeLoad::From::kOuter, .outer = outer}
                                : Load{.from = ScopeLoad::From::kContext, .name = name};
  }
}

}  // namespace anneal::datasets::jinja
