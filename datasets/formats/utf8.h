#pragma once
// Whether text is UTF-8.

#include <cstddef>
#include <string_view>

namespace anneal::datasets {

// Where the first byte stands that is not part of a UTF-8 character (overlong forms, surrogates and values past
// U+10FFFF are none); npos if there is none.
std::size_t first_invalid_utf8(std::string_view text);

}  // namespace anneal::datasets
