#pragma once
// What the command prints: one JSON object a line, or text for people. Every line is flushed; a closed pipe ends the
// program quietly.

#include <string>
#include <string_view>

#include "kernels/core/json.h"

namespace anneal::tune {

void print_line(std::string_view text);       // standard output
void print_json(const Json& object);          // compact, one line
void print_text(std::string_view text);       // no line end; flushed
void print_error(std::string_view sentence);  // standard error, one line each
bool is_terminal();                           // standard output

}  // namespace anneal::tune
