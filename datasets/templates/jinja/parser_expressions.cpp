#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "datasets/templates/jinja/parser.h"
#include "kernels/core/error.h"

namespace anneal::datasets::jinja {
namespace {

std::optional<Operator> comparison(const Token& token) {
  if (token.kind != TokenKind::kOperator) return std::nullopt;
  if (token.text == "==") return Operator::kEqual;
  if (token.text == "!=") return Operator::kNotEqual;
  if (token.text == "<") return Operator::kLess;
  if (token.text == "<=") return Operator::kLessEqual;
  if (token.text == ">") return Operator::kGreater;
  if (token.text == ">=") return Operator::kGreaterEqual;
  return std::nullopt;
}

}  // namespace

void Parser::raise_height(Expression& node, const Expression* part) const {
  if (part == nullptr) return;
  node.height = std::max(node.height, part->height + 1);
  if (node.height > kMaximumHeight) fail("an expression is nested too deeply", node.line);
}

void Parser::raise_height(Expression& node, const ArgumentList& arguments) const {
  for (const auto& argument : arguments.positional) raise_height(node, argument.get());
  for (const auto& [name, argument] : arguments.named) raise_height(node, argument.get());
  raise_height(node, arguments.all_positional.get());
  raise_height(node, arguments.all_named.get());
}

ExpressionPointer Parser::binary(ExpressionKind kind, Operator operation, ExpressionPointer left,
                                 ExpressionPointer right, int line) {
  auto node = std::make_unique<Binary>(kind, line);
  node->operation = operation;
  node->left = std::move(left);
  node->right = std::move(right);
  const auto& made = *node;
  return finish(std::move(node), {made.left.get(), made.right.get()});
}

ExpressionPointer Parser::parse_conditional() {
  const Depth depth(*this, &Parser::calls_, kMaximumCalls);
  int line = current().line;
  ExpressionPointer value = parse_or();
  while (skip_name("if")) {
    auto node = std::make_unique<Conditional>(line);
    node->value = std::move(value);
    node->test = parse_or();
    if (skip_name("else")) node->otherwise = parse_conditional();
    const auto& made = *node;
    value = finish(std::move(node), {made.test.get(), made.value.get(), made.otherwise.get()});
    line = current().line;
  }
  return value;
}

ExpressionPointer Parser::parse_or() {
  const int line = current().line;
  ExpressionPointer left = parse_and();
  while (skip_name("or")) {
    left = binary(ExpressionKind::kOr, Operator::kAdd, std::move(left), parse_and(), line);
  }
  return left;
}

ExpressionPointer Parser::parse_and() {
  const int line = current().line;
  ExpressionPointer left = parse_not();
  while (skip_name("and")) {
    left = binary(ExpressionKind::kAnd, Operator::kAdd, std::move(left), parse_not(), line);
  }
  return left;
}

ExpressionPointer Parser::parse_not() {
  const Depth depth(*this, &Parser::calls_, kMaximumCalls);
  if (!is_name("not")) return parse_compare();
  auto node = std::make_unique<Unary>(take().line, Operator::kNot);
  node->operand = parse_not();
  const auto& made = *node;
  return finish(std::move(node), {made.operand.get()});
}

ExpressionPointer Parser::parse_compare() {
  const int line = current().line;
  ExpressionPointer first = parse_sum();
  std::unique_ptr<Compare> node;
  while (true) {
    std::optional<Operator> operation = comparison(current());
    if (operation) {
      take();
    } else if (skip_name("in")) {
      operation = Operator::kIn;
    } else if (is_name("not") && following().kind == TokenKind::kName && following().text == "in") {
      take();
      take();
      operation = Operator::kNotIn;
    } else {
      break;
    }
    if (!node) node = std::make_unique<Compare>(line);
    node->rest.emplace_back(*operation, parse_sum());
    raise_height(*node, node->rest.back().second.get());
  }
  if (!node) return first;
  node->first = std::move(first);
  const auto& made = *node;
  return finish(std::move(node), {made.first.get()});
}

ExpressionPointer Parser::parse_sum() {
  const int line = current().line;
  ExpressionPointer left = parse_concat();
  while (is_operator("+") || is_operator("-")) {
    const Operator operation = take().text == "+" ? Operator::kAdd : Operator::kSubtract;
    left = binary(ExpressionKind::kBinary, operation, std::move(left), parse_concat(), line);
  }
  return left;
}

ExpressionPointer Parser::parse_concat() {
  const int line = current().line;
  ExpressionPointer first = parse_product();
  if (!is_operator("~")) return first;
  auto node = std::make_unique<Sequence>(ExpressionKind::kConcat, line);
  node->items.push_back(std::move(first));
  while (skip_operator("~")) node->items.push_back(parse_product());
  for (const auto& item : node->items) raise_height(*node, item.get());
  return node;
}

ExpressionPointer Parser::parse_product() {
  const int line = current().line;
  ExpressionPointer left = parse_power();
  constexpr std::array<std::pair<std::string_view, Operator>, 4> kOperators = {
      {{"*", Operator::kMultiply}, {"/", Operator::kDivide}, {"//", Operator::kFloorDivide}, {"%", Operator::kModulo}}};
  while (true) {
    const auto* const found = std::find_if(kOperators.begin(), kOperators.end(),
                                           [&](const auto& candidate) { return is_operator(candidate.first); });
    if (found == kOperators.end()) return left;
    take();
    left = binary(ExpressionKind::kBinary, found->second, std::move(left), parse_power(), line);
  }
}

ExpressionPointer Parser::parse_power() {
  const int line = current().line;
  ExpressionPointer left = parse_unary(true);
  while (skip_operator("**")) {
    left = binary(ExpressionKind::kBinary, Operator::kPower, std::move(left), parse_unary(true), line);
  }
  return left;
}

ExpressionPointer Parser::parse_unary(bool with_filters) {
  const Depth depth(*this, &Parser::calls_, kMaximumCalls);
  ExpressionPointer node;
  if (is_operator("-") || is_operator("+")) {
    const int line = current().line;
    auto unary = std::make_unique<Unary>(line, take().text == "-" ? Operator::kNegate : Operator::kPlus);
    unary->operand = parse_unary(false);
    const auto& made = *unary;
    node = finish(std::move(unary), {made.operand.get()});
  } else {
    node = parse_primary();
  }
  node = parse_postfix(std::move(node));
  return with_filters ? parse_filters(std::move(node)) : std::move(node);
}

ExpressionPointer Parser::parse_primary() {
  const Token& token = current();
  switch (token.kind) {
    case TokenKind::kName:
      return parse_name();
    case TokenKind::kText:
      return parse_texts();
    case TokenKind::kInteger:
    case TokenKind::kFloat: {
      auto node = std::make_unique<Constant>(token.line);
      node->value = token.kind == TokenKind::kFloat ? Value::real(token.real) : Value::integer(token.integer);
      take();
      return node;
    }
    default:
      break;
  }
  if (skip_operator("(")) {
    ExpressionPointer node = parse_tuple(true, true);
    expect_operator(")");
    return node;
  }
  if (is_operator("[")) return parse_list();
  if (is_operator("{")) return parse_dict();
  fail(fmt::format("unexpected {}", describe(token)));
}

ExpressionPointer Parser::parse_name() {
  const Token& token = take();
  const std::string& name = token.text;
  auto constant = std::make_unique<Constant>(token.line);
  if (name == "true" || name == "True") {
    constant->value = Value::boolean(true);
  } else if (name == "false" || name == "False") {
    constant->value = Value::boolean(false);
  } else if (name == "none" || name == "None") {
    constant->value = Value::none();
  } else {
    return std::make_unique<Name>(token.line, name);
  }
  return constant;
}

ExpressionPointer Parser::parse_texts() {
  auto node = std::make_unique<Constant>(current().line);
  while (current().kind == TokenKind::kText) node->storage += take().text;
  node->value = Value::text(node->storage);
  return node;
}

bool Parser::ends_tuple(std::string_view end_name) const {
  const TokenKind kind = current().kind;
  return kind == TokenKind::kVariableEnd || kind == TokenKind::kBlockEnd || is_operator(")") ||
         (!end_name.empty() && is_name(end_name));
}

ExpressionPointer Parser::parse_tuple(bool with_conditional, bool in_parentheses, std::string_view end_name) {
  const int line = current().line;
  auto node = std::make_unique<Sequence>(ExpressionKind::kTuple, line);
  bool is_tuple = false;
  while (!ends_tuple(end_name)) {
    node->items.push_back(with_conditional ? parse_conditional() : parse_or());
    raise_height(*node, node->items.back().get());
    if (!skip_operator(",")) break;
    is_tuple = true;
  }
  if (is_tuple) return node;
  if (!node->items.empty()) return std::move(node->items.front());
  if (!in_parentheses) fail(fmt::format("expected an expression, got {}", describe(current())));
  return node;
}

ExpressionPointer Parser::parse_list() {
  auto node = std::make_unique<Sequence>(ExpressionKind::kList, current().line);
  expect_operator("[");
  while (!is_operator("]")) {
    node->items.push_back(parse_expression());
    raise_height(*node, node->items.back().get());
    if (!skip_operator(",")) break;
  }
  expect_operator("]");
  return node;
}

ExpressionPointer Parser::parse_dict() {
  auto node = std::make_unique<DictLiteral>(current().line);
  expect_operator("{");
  while (!is_operator("}")) {
    ExpressionPointer key = parse_expression();
    expect_operator(":");
    node->entries.emplace_back(std::move(key), parse_expression());
    raise_height(*node, node->entries.back().first.get());
    raise_height(*node, node->entries.back().second.get());
    if (!skip_operator(",")) break;
  }
  expect_operator("}");
  return node;
}

ExpressionPointer Parser::parse_postfix(ExpressionPointer base) {
  while (true) {
    if (is_operator(".") || is_operator("[")) {
      base = parse_subscript(std::move(base));
    } else if (is_operator("(")) {
      base = parse_call(std::move(base));
    } else {
      return base;
    }
  }
}

ExpressionPointer Parser::parse_filters(ExpressionPointer subject) {
  while (true) {
    if (is_operator("|")) {
      subject = parse_filter_chain(std::move(subject));
    } else if (is_name("is")) {
      subject = parse_test(std::move(subject));
    } else if (is_operator("(")) {
      subject = parse_call(std::move(subject));
    } else {
      return subject;
    }
  }
}

ExpressionPointer Parser::parse_filter_chain(ExpressionPointer subject) {
  while (skip_operator("|")) subject = parse_filter(std::move(subject));
  return subject;
}

ExpressionPointer Parser::parse_filter(ExpressionPointer subject) {
  auto node = std::make_unique<FilterCall>(current().line);
  node->name = parse_dotted_name();
  node->function = find_filter(node->name);
  node->subject = std::move(subject);
  if (is_operator("(")) node->arguments = parse_arguments();
  raise_height(*node, node->arguments);
  const auto& made = *node;
  return finish(std::move(node), {made.subject.get()});
}

std::string Parser::parse_dotted_name() {
  std::string name = expect_any_name();
  while (skip_operator(".")) name += "." + expect_any_name();
  return name;
}

ExpressionPointer Parser::parse_test(ExpressionPointer subject) {
  const int line = take().line;  // is
  const bool negated = skip_name("not");
  auto node = std::make_unique<TestCall>(line);
  node->name = parse_dotted_name();
  node->function = find_test(node->name);
  node->subject = std::move(subject);
  const TokenKind kind = current().kind;
  const bool has_argument = kind == TokenKind::kName || kind == TokenKind::kText || kind == TokenKind::kInteger ||
                            kind == TokenKind::kFloat || is_operator("[") || is_operator("{");
  if (is_operator("(")) {
    node->arguments = parse_arguments();
  } else if (has_argument && !is_name("else") && !is_name("or") && !is_name("and")) {
    if (is_name("is")) fail("tests with 'is' cannot be chained");
    node->arguments.positional.push_back(parse_postfix(parse_primary()));
  }
  raise_height(*node, node->arguments);
  raise_height(*node, node->subject.get());
  if (!negated) return node;
  auto inverse = std::make_unique<Unary>(line, Operator::kNot);
  inverse->operand = std::move(node);
  const auto& made = *inverse;
  return finish(std::move(inverse), {made.operand.get()});
}

ExpressionPointer Parser::parse_subscript(ExpressionPointer base) {
  const int line = current().line;
  if (take().text == "[") return parse_brackets(std::move(base), line);
  const Token& token = take();
  if (token.kind == TokenKind::kName) {
    auto node = std::make_unique<Attribute>(line);
    node->base = std::move(base);
    node->name = token.text;
    const auto& made = *node;
    return finish(std::move(node), {made.base.get()});
  }
  if (token.kind != TokenKind::kInteger) fail("expected a name or a number behind '.'", token.line);
  auto number = std::make_unique<Constant>(line);
  number->value = Value::integer(token.integer);
  auto node = std::make_unique<Item>(line);
  node->base = std::move(base);
  node->index = std::move(number);
  const auto& made = *node;
  return finish(std::move(node), {made.base.get()});
}

ExpressionPointer Parser::parse_brackets(ExpressionPointer base, int line) {
  std::array<ExpressionPointer, 3> parts;
  std::size_t colons = 0;
  if (is_operator("]")) fail("expected an expression in the brackets");
  if (!is_operator(":")) parts[0] = parse_expression();
  while (colons < 2 && skip_operator(":")) {
    ++colons;
    if (!is_operator(":") && !is_operator("]") && !is_operator(",")) parts[colons] = parse_expression();
  }
  if (colons == 0 && is_operator(",")) {
    auto tuple = std::make_unique<Sequence>(ExpressionKind::kTuple, line);
    tuple->items.push_back(std::move(parts[0]));
    while (skip_operator(",")) tuple->items.push_back(parse_expression());
    for (const auto& item : tuple->items) raise_height(*tuple, item.get());
    parts[0] = std::move(tuple);
  }
  expect_operator("]");
  if (colons == 0) {
    auto node = std::make_unique<Item>(line);
    node->base = std::move(base);
    node->index = std::move(parts[0]);
    const auto& made = *node;
    return finish(std::move(node), {made.base.get(), made.index.get()});
  }
  auto node = std::make_unique<Slice>(line);
  node->base = std::move(base);
  node->start = std::move(parts[0]);
  node->stop = std::move(parts[1]);
  node->step = std::move(parts[2]);
  const auto& made = *node;
  return finish(std::move(node), {made.base.get(), made.start.get(), made.stop.get(), made.step.get()});
}

ExpressionPointer Parser::parse_call(ExpressionPointer callee) {
  auto node = std::make_unique<Call>(current().line);
  node->callee = std::move(callee);
  node->arguments = parse_arguments();
  raise_height(*node, node->arguments);
  const auto& made = *node;
  return finish(std::move(node), {made.callee.get()});
}

ArgumentList Parser::parse_arguments() {
  const int line = current().line;
  expect_operator("(");
  ArgumentList arguments;
  while (!is_operator(")")) {
    parse_argument(arguments, line);
    if (!skip_operator(",")) break;
  }
  expect_operator(")");
  return arguments;
}

void Parser::parse_argument(ArgumentList& arguments, int line) {
  const auto must = [&](bool holds) {
    if (!holds) fail("the arguments of a call stand in an order that is not allowed", line);
  };
  if (skip_operator("*")) {
    must(!arguments.all_positional && !arguments.all_named);
    arguments.all_positional = parse_expression();
  } else if (skip_operator("**")) {
    must(!arguments.all_named);
    arguments.all_named = parse_expression();
  } else if (current().kind == TokenKind::kName && following().kind == TokenKind::kOperator &&
             following().text == "=") {
    must(!arguments.all_named);
    std::string name = take().text;
    take();
    for (const auto& [known, value] : arguments.named) {
      if (known == name) fail(fmt::format("the argument '{}' is given twice", printable(name)), line);
    }
    arguments.named.emplace_back(std::move(name), parse_expression());
  } else {
    must(!arguments.all_positional && !arguments.all_named && arguments.named.empty());
    arguments.positional.push_back(parse_expression());
  }
}

}  // namespace anneal::datasets::jinja
