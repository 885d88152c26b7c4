#pragma once
// Another value in a variable until the end of a scope, also when that ends with an exception.

#include <utility>

namespace anneal::datasets::jinja {

template <class T>
class [[nodiscard]] Replaced {
 public:
  Replaced(T& variable, T value) : variable_(variable), before_(std::exchange(variable, std::move(value))) {}
  ~Replaced() { variable_ = std::move(before_); }
  Replaced(const Replaced&) = delete;
  Replaced& operator=(const Replaced&) = delete;

 private:
  T& variable_;
  T before_;
};

}  // namespace anneal::datasets::jinja
