#pragma once
// What stands between the quotes of a text in a template, with its escapes resolved as Python resolves them.

#include <string>
#include <string_view>

namespace anneal::datasets::jinja {

// Throws SyntaxFault for a broken escape.
std::string resolve_escapes(std::string_view quoted, int line);

}  // namespace anneal::datasets::jinja
