#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace anneal::datasets {

// RFC 4648 with its padding; nothing if `text` is anything else.
std::optional<std::string> decode_base64(std::string_view text);

}  // namespace anneal::datasets
