#pragma once
// From tokens to the tree, with jinja2's grammar. Names get their places afterwards; see scopes.h.

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/templates/jinja/ast.h"
#include "datasets/templates/jinja/lexer.h"

namespace anneal::datasets::jinja {

class Parser {
 public:
  explicit Parser(std::vector<Token> tokens) : tokens_(std::move(tokens)) {}
  // Throws SyntaxFault. Afterwards has_generation() tells whether there is a {% generation %} block.
  Statements parse();
  bool has_generation() const { return has_generation_; }

 private:
  // Deeper trees would need too much of the stack, here and when they are evaluated.
  static constexpr int kMaximumHeight = 500;
  static constexpr int kMaximumCalls = 400;
  static constexpr int kMaximumStatementDepth = 100;
  class Depth;

  using Names = std::initializer_list<std::string_view>;

  // Tokens.
  const Token& current() const { return tokens_[at_]; }
  const Token& following() const { return tokens_[std::min(at_ + 1, tokens_.size() - 1)]; }
  const Token& take();
  bool is_operator(std::string_view text) const;
  bool is_name(std::string_view text) const;
  bool skip_operator(std::string_view text);
  bool skip_name(std::string_view text);
  void expect_operator(std::string_view text);
  void expect_name(std::string_view text);
  std::string expect_any_name();
  void expect(TokenKind kind, std::string_view what);
  [[noreturn]] void fail(const std::string& what, int line = 0) const;
  [[noreturn]] void fail_expected(std::string_view what) const;

  // Statements (parser_statements.cpp).
  Statements parse_until(Names ends);
  Statements parse_body(Names ends);  // from the end of the opening tag
  std::unique_ptr<Statement> parse_statement();
  std::unique_ptr<Statement> parse_if();
  std::unique_ptr<Statement> parse_for();
  std::unique_ptr<Statement> parse_set();
  std::unique_ptr<Statement> parse_macro();
  std::unique_ptr<Statement> parse_call_block();
  std::unique_ptr<Statement> parse_generation();
  std::unique_ptr<Statement> parse_filter_block();
  std::unique_ptr<Statement> parse_with();
  std::unique_ptr<Statement> parse_print();
  std::unique_ptr<Statement> parse_loop_control();
  void parse_signature(MacroDefinition& definition);
  Statements parse_function_body(Names ends);
  Target parse_target(bool with_namespace, std::string_view end_name = {});
  Target parse_single_target(bool with_namespace);

  // Expressions (parser_expressions.cpp).
  ExpressionPointer parse_expression() { return parse_conditional(); }
  ExpressionPointer parse_conditional();
  ExpressionPointer parse_or();
  ExpressionPointer parse_and();
  ExpressionPointer parse_not();
  ExpressionPointer parse_compare();
  ExpressionPointer parse_sum();
  ExpressionPointer parse_concat();
  ExpressionPointer parse_product();
  ExpressionPointer parse_power();
  ExpressionPointer parse_unary(bool with_filters);
  ExpressionPointer parse_primary();
  ExpressionPointer parse_name();
  ExpressionPointer parse_texts();
  ExpressionPointer parse_tuple(bool with_conditional, bool in_parentheses, std::string_view end_name = {});
  ExpressionPointer parse_list();
  ExpressionPointer parse_dict();
  ExpressionPointer parse_postfix(ExpressionPointer base);
  ExpressionPointer parse_filters(ExpressionPointer subject);
  ExpressionPointer parse_filter(ExpressionPointer subject);
  ExpressionPointer parse_filter_chain(ExpressionPointer subject);
  ExpressionPointer parse_test(ExpressionPointer subject);
  ExpressionPointer parse_subscript(ExpressionPointer base);
  ExpressionPointer parse_brackets(ExpressionPointer base, int line);
  ExpressionPointer parse_call(ExpressionPointer callee);
  ArgumentList parse_arguments();
  void parse_argument(ArgumentList& arguments, int line);
  std::string parse_dotted_name();
  bool ends_tuple(std::string_view end_name) const;

  ExpressionPointer binary(ExpressionKind kind, Operator operation, ExpressionPointer left, ExpressionPointer right,
                           int line);
  // Sets the height from the parts' heights.
  template <class Node>
  ExpressionPointer finish(std::unique_ptr<Node> node, std::initializer_list<const Expression*> parts);
  void raise_height(Expression& node, const Expression* part) const;
  void raise_height(Expression& node, const ArgumentList& arguments) const;

  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  int calls_ = 0;
  int statement_depth_ = 0;
  int loops_ = 0;  // {% break %} is legal inside of
  bool has_generation_ = false;
};

// Counts how deep the parser calls itself.
class Parser::Depth {
 public:
  Depth(Parser& parser, int Parser::* counter, int most) : counter_(parser.*counter) {
    if (++counter_ > most) {
      --counter_;
      parser.fail("the template is nested too deeply");
    }
  }
  ~Depth() { --counter_; }
  Depth(const Depth&) = delete;
  Depth& operator=(const Depth&) = delete;

 private:
  int& counter_;
};

template <class Node>
ExpressionPointer Parser::finish(std::unique_ptr<Node> node, std::initializer_list<const Expression*> parts) {
  for (const Expression* part : parts) raise_height(*node, part);
  return node;
}

}  // namespace anneal::datasets::jinja
