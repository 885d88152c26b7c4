#pragma once
// The chat templates of resources/templates, built into the program: the plain form for models that have no template,
// and others that can be chosen by name.

#include <optional>
#include <string_view>
#include <vector>

#include "datasets/templates/chat_template.h"

namespace anneal::datasets {

inline constexpr std::string_view kPlainTemplate = "plain";

std::vector<std::string_view> shipped_template_names();
// Empty if there is none of this name.
std::optional<ChatTemplate> shipped_template(std::string_view name);

}  // namespace anneal::datasets
