#pragma once
// A template's source cut into tokens, with white space control already applied: trim_blocks and lstrip_blocks are on,
// one newline at the end of the source is dropped, and every line end is "\n".

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/templates/jinja/value.h"

namespace anneal::datasets::jinja {

// The template is not one: line and what is wrong.
class SyntaxFault : public std::runtime_error {
 public:
  SyntaxFault(int line, const std::string& what) : std::runtime_error(what), line_(line) {}
  int line() const { return line_; }

 private:
  int line_;
};

enum class TokenKind : uint8_t {
  kData,           // text to be printed as it is
  kVariableBegin,  // {{
  kVariableEnd,
  kBlockBegin,  // {%
  kBlockEnd,
  kName,
  kText,
  kInteger,
  kFloat,
  kOperator,  // `text` is the operator
  kEnd,       // of the template
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  int line = 1;
  std::string text;  // data, name, the value of a text, the operator
  Integer integer = 0;
  double real = 0.0;
};

std::vector<Token> tokenize(std::string_view source);

// How a token is called in sentences.
std::string describe(const Token& token);

}  // namespace anneal::datasets::jinja
