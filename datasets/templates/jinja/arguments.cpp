#include <fmt/format.h>

#include <algorithm>

#include "datasets/templates/jinja/builtins.h"
#include "kernels/core/error.h"

namespace anneal::datasets::jinja {

Bound::Bound(const Arguments& arguments, std::string_view function, std::initializer_list<std::string_view> names,
             std::size_t required)
    : values_(names.size(), nullptr) {
  if (arguments.positional.size() > names.size()) {
    throw Failure(
        fmt::format("{}() takes at most {} arguments ({} given)", function, names.size(), arguments.positional.size()));
  }
  for (std::size_t i = 0; i < arguments.positional.size(); ++i) values_[i] = &arguments.positional[i];
  for (const auto& [name, value] : arguments.named) {
    const auto found = std::find(names.begin(), names.end(), name.as_text());
    if (found == names.end()) {
      throw Failure(fmt::format("{}() got an unexpected keyword argument '{}'", function, printable(name.as_text())));
    }
    const auto place = static_cast<std::size_t>(found - names.begin());
    if (values_[place] != nullptr) {
      throw Failure(fmt::format("{}() got multiple values for argument '{}'", function, *found));
    }
    values_[place] = &value;
  }
  for (std::size_t i = 0; i < required; ++i) {
    if (values_[i] == nullptr) {
      throw Failure(fmt::format("{}() lacks the argument '{}'", function, *(names.begin() + i)));
    }
  }
}

void expect_positional(const Arguments& arguments, std::string_view function, std::size_t least, std::size_t most) {
  if (!arguments.named.empty()) throw Failure(fmt::format("{}() takes no keyword arguments", function));
  const std::size_t given = arguments.positional.size();
  if (given < least || given > most) {
    throw Failure(least == most
                      ? fmt::format("{}() takes {} arguments ({} given)", function, least, given)
                      : fmt::format("{}() takes {} to {} arguments ({} given)", function, least, most, given));
  }
}

Integer integer_argument(const Value& value, std::string_view function) {
  if (value.is_undefined()) fail_undefined(value);
  if (!value.is_integral()) {
    throw Failure(fmt::format("{}: '{}' object cannot be interpreted as an integer", function, type_name(value)));
  }
  return value.as_integer();
}

Integer integer_or(const Value* value, Integer fallback, std::string_view function) {
  return value == nullptr || value->is_none() ? fallback : integer_argument(*value, function);
}

bool truth_or(const Value* value, bool fallback) { return value == nullptr ? fallback : is_true(*value); }

std::string_view text_argument(const Value& value, std::string_view function) {
  if (!value.is_text()) throw Failure(fmt::format("{}() needs a str, not {}", function, type_name(value)));
  return value.as_text();
}

}  // namespace anneal::datasets::jinja
