#pragma once
// Going through the parts of a tree in the order in which jinja2 looks at them.

#include "datasets/templates/jinja/ast.h"

namespace anneal::datasets::jinja {

// Calls visit(expression) for each expression directly inside.
template <class Visit>
void for_each_part(ArgumentList& arguments, Visit&& visit) {
  for (auto& argument : arguments.positional) visit(*argument);
  for (auto& [name, argument] : arguments.named) visit(*argument);
  if (arguments.all_positional) visit(*arguments.all_positional);
  if (arguments.all_named) visit(*arguments.all_named);
}

template <class Visit>
void for_each_part(Expression& expression, Visit&& visit) {
  const auto visit_if_there = [&](ExpressionPointer& part) {
    if (part) visit(*part);
  };
  switch (expression.kind) {
    case ExpressionKind::kConstant:
    case ExpressionKind::kName:
      return;
    case ExpressionKind::kList:
    case ExpressionKind::kTuple:
    case ExpressionKind::kConcat:
      for (auto& item : static_cast<Sequence&>(expression).items) visit(*item);
      return;
    case ExpressionKind::kDict:
      for (auto& [key, value] : static_cast<DictLiteral&>(expression).entries) {
        visit(*key);
        visit(*value);
      }
      return;
    case ExpressionKind::kAttribute:
      return visit(*static_cast<Attribute&>(expression).base);
    case ExpressionKind::kItem: {
      auto& item = static_cast<Item&>(expression);
      visit(*item.base);
      visit(*item.index);
      return;
    }
    case ExpressionKind::kSlice: {
      auto& slice = static_cast<Slice&>(expression);
      visit(*slice.base);
      visit_if_there(slice.start);
      visit_if_there(slice.stop);
      visit_if_there(slice.step);
      return;
    }
    case ExpressionKind::kCall: {
      auto& call = static_cast<Call&>(expression);
      visit(*call.callee);
      return for_each_part(call.arguments, visit);
    }
    case ExpressionKind::kFilter: {
      auto& filter = static_cast<FilterCall&>(expression);
      visit_if_there(filter.subject);
      return for_each_part(filter.arguments, visit);
    }
    case ExpressionKind::kTest: {
      auto& test = static_cast<TestCall&>(expression);
      visit(*test.subject);
      return for_each_part(test.arguments, visit);
    }
    case ExpressionKind::kUnary:
      return visit(*static_cast<Unary&>(expression).operand);
    case ExpressionKind::kBinary:
    case ExpressionKind::kAnd:
    case ExpressionKind::kOr: {
      auto& binary = static_cast<Binary&>(expression);
      visit(*binary.left);
      visit(*binary.right);
      return;
    }
    case ExpressionKind::kCompare: {
      auto& compare = static_cast<Compare&>(expression);
      visit(*compare.first);
      for (auto& [operation, part] : compare.rest) visit(*part);
      return;
    }
    case ExpressionKind::kConditional: {
      auto& conditional = static_cast<Conditional&>(expression);
      visit(*conditional.test);
      visit(*conditional.value);
      visit_if_there(conditional.otherwise);
      return;
    }
  }
}

// What kind of place a name stands in.
enum class NameUse : uint8_t {
  kRead,
  kAssigned,   // by set, or as the variable of a loop
  kParameter,  // of a macro, a call block or with
  kMacroName,
};

// Calls visit(name, use) for every name anywhere inside, in the order of the tree.
template <class Visit>
class NameWalk {
 public:
  explicit NameWalk(Visit visit) : visit_(std::move(visit)) {}

  void walk(Statements& statements) {
    for (auto& statement : statements) walk(*statement);
  }
  void walk(Expression& expression) {
    if (expression.kind == ExpressionKind::kName) visit_(static_cast<Name&>(expression).name, NameUse::kRead);
    for_each_part(expression, [this](Expression& part) { walk(part); });
  }
  void walk(Target& target, NameUse use = NameUse::kAssigned) {
    if (target.kind == Target::Kind::kName) visit_(target.name, use);
    for (Target& part : target.parts) walk(part, use);
  }
  void walk(MacroDefinition& definition) {
    for (auto& parameter : definition.parameters) visit_(parameter.name, NameUse::kParameter);
    for (auto& parameter : definition.parameters) walk_if_there(parameter.fallback);
    walk(definition.body);
  }
  void walk(Statement& statement);

 private:
  void walk_if_there(ExpressionPointer& expression) {
    if (expression) walk(*expression);
  }
  void walk_if(If& node) {
    for (If::Branch& branch : node.branches) {
      walk(*branch.test);
      walk(branch.body);
    }
    walk(node.otherwise);
  }
  void walk_for(ForStatement& node) {
    walk(node.target);
    walk(*node.iterable);
    walk(node.body);
    walk(node.otherwise);
    walk_if_there(node.test);
  }
  void walk_with(With& node) {
    for (auto& [target, value] : node.assignments) walk(target, NameUse::kParameter);
    for (auto& [target, value] : node.assignments) walk(*value);
    walk(node.body);
  }

  Visit visit_;
};

template <class Visit>
void NameWalk<Visit>::walk(Statement& statement) {
  switch (statement.kind) {
    case StatementKind::kOutput:
      for (auto& part : static_cast<Output&>(statement).parts) walk_if_there(part.expression);
      return;
    case StatementKind::kIf:
      return walk_if(static_cast<If&>(statement));
    case StatementKind::kFor:
      return walk_for(static_cast<ForStatement&>(statement));
    case StatementKind::kSet:
      walk(static_cast<Set&>(statement).target);
      return walk(*static_cast<Set&>(statement).value);
    case StatementKind::kSetBlock: {
      auto& block = static_cast<SetBlock&>(statement);
      walk(block.target);
      walk_if_there(block.filter);
      return walk(block.body);
    }
    case StatementKind::kMacro:
      return walk(static_cast<MacroStatement&>(statement).definition);
    case StatementKind::kCallBlock:
      walk(*static_cast<CallBlock&>(statement).call);
      return walk(static_cast<CallBlock&>(statement).caller);
    case StatementKind::kGeneration:
      return walk(static_cast<Generation&>(statement).caller);
    case StatementKind::kFilterBlock:
      walk(static_cast<FilterBlock&>(statement).body);
      return walk(*static_cast<FilterBlock&>(statement).filter);
    case StatementKind::kWith:
      return walk_with(static_cast<With&>(statement));
    case StatementKind::kBreak:
    case StatementKind::kContinue:
      return;
  }
}

}  // namespace anneal::datasets::jinja
