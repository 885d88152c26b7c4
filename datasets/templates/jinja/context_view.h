#pragma once
// The variables that a render is given, looked at where they lie: rendering the first messages of a conversation, or
// asking for a generation prompt, copies nothing.

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "kernels/core/json.h"

namespace anneal::datasets::jinja {

struct ContextView {
  std::vector<const Json*> variables;    // objects; the first that has a name wins
  const Json* special_tokens = nullptr;  // an object, behind them; its texts count as the template's own

  // These win over all others.
  const Json* messages = nullptr;
  std::size_t message_count = static_cast<std::size_t>(-1);  // only the first ones
  const Json* tools = nullptr;
  std::optional<bool> add_generation_prompt = {};

  struct Found {
    const Json* value = nullptr;
    bool is_own = false;
  };
  Found find(std::string_view name) const;

 private:
  static const Json& truth(bool value);
};

}  // namespace anneal::datasets::jinja
