#pragma once
// What a Replace or Split looks for: {"String": "…"}, meant as it stands, or {"Regex": "…"}.

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "datasets/tokenizers/patterns/regular_expression.h"
#include "kernels/core/json.h"

namespace anneal::datasets {

class TextPattern {
 public:
  // Throws Error(kInput) if it is neither.
  static TextPattern read(const Json& description, const std::string& where);

  void for_each_match(std::string_view text, const std::function<void(std::size_t, std::size_t)>& found) const;

 private:
  std::string literal_;
  std::optional<RegularExpression> expression_;
};

}  // namespace anneal::datasets
