#include <fmt/format.h>

#include <algorithm>

#include "datasets/templates/jinja/parser.h"
#include "kernels/core/error.h"

namespace anneal::datasets::jinja {

const Token& Parser::take() {
  const Token& token = tokens_[at_];
  if (at_ + 1 < tokens_.size()) ++at_;
  return token;
}
bool Parser::is_operator(std::string_view text) const {
  return current().kind == TokenKind::kOperator && current().text == text;
}
bool Parser::is_name(std::string_view text) const {
  return current().kind == TokenKind::kName && current().text == text;
}
bool Parser::skip_operator(std::string_view text) {
  if (!is_operator(text)) return false;
  take();
  return true;
}
bool Parser::skip_name(std::string_view text) {
  if (!is_name(text)) return false;
  take();
  return true;
}
void Parser::expect_operator(std::string_view text) {
  if (!skip_operator(text)) fail_expected(fmt::format("'{}'", text));
}
void Parser::expect_name(std::string_view text) {
  if (!skip_name(text)) fail_expected(fmt::format("'{}'", text));
}
std::string Parser::expect_any_name() {
  if (current().kind != TokenKind::kName) fail_expected("a name");
  return take().text;
}
void Parser::expect(TokenKind kind, std::string_view what) {
  if (current().kind != kind) fail_expected(what);
  take();
}
void Parser::fail(const std::string& what, int line) const {
  throw SyntaxFault(line > 0 ? line : current().line, what);
}
void Parser::fail_expected(std::string_view what) const {
  fail(fmt::format("expected {}, got {}", what, describe(current())));
}

Statements Parser::parse() {
  Statements statements = parse_until({});
  if (current().kind != TokenKind::kEnd) fail_expected("the end of the template");
  return statements;
}

Statements Parser::parse_until(Names ends) {
  const Depth depth(*this, &Parser::statement_depth_, kMaximumStatementDepth);
  Statements statements;
  std::unique_ptr<Output> output;
  const auto flush = [&] {
    if (output) statements.push_back(std::move(output));
  };
  const auto part = [&]() -> Output::Part& {
    if (!output) output = std::make_unique<Output>(current().line);
    return output->parts.emplace_back();
  };
  while (current().kind != TokenKind::kEnd) {
    if (current().kind == TokenKind::kData) {
      part().data = take().text;
    } else if (current().kind == TokenKind::kVariableBegin) {
      take();
      ExpressionPointer expression = parse_tuple(true, false);
      part().expression = std::move(expression);
      expect(TokenKind::kVariableEnd, "'}}'");
    } else {
      flush();
      const int line = current().line;
      expect(TokenKind::kBlockBegin, "a tag");
      if (current().kind != TokenKind::kName) fail_expected("the name of a tag");
      if (std::find(ends.begin(), ends.end(), current().text) != ends.end()) return statements;
      if (current().text.starts_with("end") || current().text == "else" || current().text == "elif") {
        fail(fmt::format("the tag '{}' has nothing to end or continue here{}", printable(current().text),
                         ends.size() == 0 ? "" : fmt::format("; '{}' is expected", *(ends.end() - 1))),
             line);
      }
      statements.push_back(parse_statement());
      expect(TokenKind::kBlockEnd, "'%}'");
    }
  }
  if (ends.size() != 0) fail(fmt::format("the template ends where '{}' is expected", *(ends.end() - 1)));
  flush();
  return statements;
}

Statements Parser::parse_body(Names ends) {
  skip_operator(":");
  expect(TokenKind::kBlockEnd, "'%}'");
  return parse_until(ends);
}

std::unique_ptr<Statement> Parser::parse_statement() {
  const std::string tag = current().text;
  if (tag == "if") return parse_if();
  if (tag == "for") return parse_for();
  if (tag == "set") return parse_set();
  if (tag == "macro") return parse_macro();
  if (tag == "call") return parse_call_block();
  if (tag == "generation") return parse_generation();
  if (tag == "filter") return parse_filter_block();
  if (tag == "with") return parse_with();
  if (tag == "print") return parse_print();
  if (tag == "break" || tag == "continue") return parse_loop_control();
  if (tag == "include" || tag == "import" || tag == "from" || tag == "extends" || tag == "block") {
    fail(fmt::format("'{}' builds a template out of several files, and a chat template is one", tag));
  }
  if (tag == "autoescape") fail("'autoescape' is for web pages, and a chat template writes plain text");
  fail(fmt::format("unknown tag '{}'", printable(tag)));
}

std::unique_ptr<Statement> Parser::parse_if() {
  auto node = std::make_unique<If>(current().line);
  while (true) {
    If::Branch branch;
    branch.line = take().line;  // if, elif
    branch.test = parse_tuple(false, false);
    branch.body = parse_body({"elif", "else", "endif"});
    node->branches.push_back(std::move(branch));
    if (is_name("elif")) continue;
    if (skip_name("else")) node->otherwise = parse_body({"endif"});
    expect_name("endif");
    return node;
  }
}

std::unique_ptr<Statement> Parser::parse_for() {
  auto node = std::make_unique<ForStatement>(take().line);
  node->target = parse_target(false, "in");
  expect_name("in");
  node->iterable = parse_tuple(false, false, "recursive");
  if (skip_name("if")) node->test = parse_expression();
  node->is_recursive = skip_name("recursive");
  ++loops_;
  node->body = parse_body({"else", "endfor"});
  --loops_;
  node->has_otherwise = skip_name("else");
  if (node->has_otherwise) {
    // Of a recursive loop it is a function of its own, outside of the outer loop.
    const int outer_loops = loops_;
    if (node->is_recursive) loops_ = 0;
    node->otherwise = parse_body({"endfor"});
    loops_ = outer_loops;
  }
  expect_name("endfor");
  return node;
}

std::unique_ptr<Statement> Parser::parse_set() {
  const int line = take().line;
  Target target = parse_target(true);
  if (skip_operator("=")) {
    auto node = std::make_unique<Set>(line);
    node->target = std::move(target);
    node->value = parse_tuple(true, false);
    return node;
  }
  auto node = std::make_unique<SetBlock>(line);
  node->target = std::move(target);
  if (is_operator("|")) node->filter = parse_filter_chain(nullptr);
  node->body = parse_body({"endset"});
  expect_name("endset");
  return node;
}

void Parser::parse_signature(MacroDefinition& definition) {
  expect_operator("(");
  while (!is_operator(")")) {
    if (!definition.parameters.empty()) expect_operator(",");
    MacroDefinition::Parameter parameter;
    parameter.name = parse_single_target(false).name;
    for (const auto& known : definition.parameters) {
      if (known.name == parameter.name) fail(fmt::format("the parameter '{}' stands twice", printable(known.name)));
    }
    if (skip_operator("=")) {
      parameter.fallback = parse_expression();
    } else if (!definition.parameters.empty() && definition.parameters.back().fallback) {
      fail("a parameter without default follows one with a default");
    }
    definition.parameters.push_back(std::move(parameter));
  }
  expect_operator(")");
}

// Loops outside of a function are none inside.
Statements Parser::parse_function_body(Names ends) {
  const int outer_loops = loops_;
  loops_ = 0;
  Statements body = parse_body(ends);
  loops_ = outer_loops;
  expect_name(*(ends.end() - 1));
  return body;
}

std::unique_ptr<Statement> Parser::parse_macro() {
  auto node = std::make_unique<MacroStatement>(take().line);
  node->definition.line = node->line;
  node->definition.name = parse_single_target(false).name;
  parse_signature(node->definition);
  node->definition.body = parse_function_body({"endmacro"});
  return node;
}

std::unique_ptr<Statement> Parser::parse_call_block() {
  auto node = std::make_unique<CallBlock>(take().line);
  node->caller.line = node->line;
  if (is_operator("(")) parse_signature(node->caller);
  node->call = parse_expression();
  if (node->call->kind != ExpressionKind::kCall) fail("'call' needs the call of a macro", node->line);
  node->caller.body = parse_function_body({"endcall"});
  return node;
}

std::unique_ptr<Statement> Parser::parse_generation() {
  auto node = std::make_unique<Generation>(take().line);
  has_generation_ = true;
  node->caller.line = node->line;
  node->caller.body = parse_function_body({"endgeneration"});
  return node;
}

std::unique_ptr<Statement> Parser::parse_filter_block() {
  auto node = std::make_unique<FilterBlock>(take().line);
  node->filter = parse_filter_chain(parse_filter(nullptr));
  node->body = parse_body({"endfilter"});
  expect_name("endfilter");
  return node;
}

std::unique_ptr<Statement> Parser::parse_with() {
  auto node = std::make_unique<With>(take().line);
  while (current().kind != TokenKind::kBlockEnd) {
    if (!node->assignments.empty()) expect_operator(",");
    Target target = parse_target(false);
    expect_operator("=");
    node->assignments.emplace_back(std::move(target), parse_expression());
  }
  node->body = parse_body({"endwith"});
  expect_name("endwith");
  return node;
}

std::unique_ptr<Statement> Parser::parse_print() {
  auto node = std::make_unique<Output>(take().line);
  while (current().kind != TokenKind::kBlockEnd) {
    if (!node->parts.empty()) expect_operator(",");
    node->parts.emplace_back().expression = parse_expression();
  }
  return node;
}

std::unique_ptr<Statement> Parser::parse_loop_control() {
  const Token& token = take();
  if (loops_ == 0) fail(fmt::format("'{}' stands outside of a loop", token.text), token.line);
  return std::make_unique<LoopControl>(token.text == "break" ? StatementKind::kBreak : StatementKind::kContinue,
                                       token.line);
}

Target Parser::parse_target(bool with_namespace, std::string_view end_name) {
  const int line = current().line;
  std::vector<Target> parts;
  bool is_tuple = false;
  while (!ends_tuple(end_name)) {
    parts.push_back(parse_single_target(with_namespace));
    if (!skip_operator(",")) break;
    is_tuple = true;
  }
  if (parts.empty()) fail_expected("a name to assign to");
  if (!is_tuple) return std::move(parts.front());
  Target tuple;
  tuple.kind = Target::Kind::kTuple;
  tuple.line = line;
  tuple.parts = std::move(parts);
  return tuple;
}

Target Parser::parse_single_target(bool with_namespace) {
  const Depth depth(*this, &Parser::calls_, kMaximumCalls);
  Target target;
  target.line = current().line;
  if (skip_operator("(")) {
    target = parse_target(false);
    expect_operator(")");
    return target;
  }
  if (current().kind != TokenKind::kName) fail_expected("a name to assign to");
  target.name = take().text;
  for (const std::string_view constant : {"true", "false", "none", "True", "False", "None"}) {
    if (target.name == constant) fail(fmt::format("'{}' cannot be assigned to", constant), target.line);
  }
  if (with_namespace && skip_operator(".")) {
    target.kind = Target::Kind::kNamespaceAttribute;
    target.attribute = expect_any_name();
  }
  return target;
}

}  // namespace anneal::datasets::jinja
