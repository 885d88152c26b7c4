#include "datasets/templates/jinja/scopes.h"

#include <fmt/format.h>

#include <algorithm>

#include "datasets/templates/jinja/lexer.h"
#include "datasets/templates/jinja/symbols.h"
#include "datasets/templates/jinja/tree_walk.h"
#include "kernels/core/error.h"

namespace anneal::datasets::jinja {
namespace {

// First pass over a scope: which names it loads and stores. Stops where an inner scope begins.
class Collector {
 public:
  explicit Collector(Symbols& symbols) : symbols_(&symbols) {}

  void collect(Expression& expression) {
    if (expression.kind == ExpressionKind::kName) symbols_->load(static_cast<Name&>(expression).name);
    for_each_part(expression, [this](Expression& part) { collect(part); });
  }
  void collect(Target& target, bool as_parameter = false) {
    switch (target.kind) {
      case Target::Kind::kName:
        if (as_parameter) {
          symbols_->declare_parameter(target.name);
        } else {
          symbols_->store(target.name);
        }
        break;
      case Target::Kind::kNamespaceAttribute:
        symbols_->load(target.name);
        break;
      case Target::Kind::kTuple:
        for (Target& part : target.parts) collect(part, as_parameter);
        break;
    }
  }
  void collect(Statements& statements) {
    for (auto& statement : statements) collect(*statement);
  }
  void collect(Statement& statement);

 private:
  void collect_if(If& node) {
    collect(*node.branches.front().test);
    Symbols first = *symbols_;
    Symbols others = *symbols_;
    Symbols otherwise = *symbols_;
    Collector(first).collect(node.branches.front().body);
    for (std::size_t i = 1; i < node.branches.size(); ++i) {
      Collector in_others(others);
      in_others.collect(*node.branches[i].test);
      Symbols body = others;
      Collector(body).collect(node.branches[i].body);
      others.merge({&body});
    }
    Collector(otherwise).collect(node.otherwise);
    symbols_->merge({&first, &others, &otherwise});
  }

  Symbols* symbols_;
};

void Collector::collect(Statement& statement) {
  switch (statement.kind) {
    case StatementKind::kOutput:
      for (auto& part : static_cast<Output&>(statement).parts) {
        if (part.expression) collect(*part.expression);
      }
      return;
    case StatementKind::kIf:
      return collect_if(static_cast<If&>(statement));
    case StatementKind::kFor:
      return collect(*static_cast<ForStatement&>(statement).iterable);
    case StatementKind::kSet:
      collect(*static_cast<Set&>(statement).value);
      return collect(static_cast<Set&>(statement).target);
    case StatementKind::kSetBlock:
      return collect(static_cast<SetBlock&>(statement).target);
    case StatementKind::kMacro:
      return symbols_->store(static_cast<MacroStatement&>(statement).definition.name);
    case StatementKind::kCallBlock:
      return collect(*static_cast<CallBlock&>(statement).call);
    case StatementKind::kFilterBlock:
      return collect(*static_cast<FilterBlock&>(statement).filter);
    case StatementKind::kWith:
      for (auto& [target, value] : static_cast<With&>(statement).assignments) collect(*value);
      return;
    case StatementKind::kGeneration:
    case StatementKind::kBreak:
    case StatementKind::kContinue:
      return;
  }
}

// Second pass: goes into the inner scopes and writes the places into the tree.
class Binder {
 public:
  explicit Binder(Program& program) : program_(program) {}

  void bind_program() {
    FunctionPlan function{.function = &program_.function};
    Symbols symbols(function, nullptr);
    Collector(symbols).collect(program_.body);
    bind(program_.body, symbols, false);
    program_.scope = scope_of(symbols);
  }

 private:
  static int hops_between(const FunctionPlan* inner, const FunctionPlan* outer) {
    int hops = 0;
    for (; inner != outer; inner = inner->outer) {
      ensure(inner != nullptr, "a variable lies in no function around");
      ++hops;
    }
    return hops;
  }
  static Slot place(const std::string& name, const Symbols& symbols) {
    const auto found = symbols.find(name);
    ensure(found.has_value(), "a name has no place");
    return {hops_between(&symbols.function(), found->function), found->index};
  }

  Scope scope_of(const Symbols& symbols) {
    Scope scope;
    for (const auto& [index, load] : symbols.loads()) {
      scope.locals.push_back(index);
      if (load.is_parameter) continue;
      ScopeLoad& made = scope.loads.emplace_back();
      made.index = index;
      made.from = load.from;
      if (load.outer) made.outer = {hops_between(&symbols.function(), load.outer->function), load.outer->index};
      if (load.from == ScopeLoad::From::kContext) made.name = context_name(load.name);
    }
    return scope;
  }
  int context_name(const std::string& name) {
    auto& names = program_.context_names;
    const auto found = std::find(names.begin(), names.end(), name);
    if (found != names.end()) return static_cast<int>(found - names.begin());
    names.push_back(name);
    return static_cast<int>(names.size()) - 1;
  }

  // `soft`: directly inside a condition, where jinja2 refuses an unknown filter only once it is reached.
  void bind(Expression& expression, const Symbols& symbols, bool soft) {
    switch (expression.kind) {
      case ExpressionKind::kName: {
        auto& name = static_cast<Name&>(expression);
        name.slot = place(name.name, symbols);
        program_.variables.insert(name.name);
        return;
      }
      case ExpressionKind::kConditional:
        soft = true;
        break;
      case ExpressionKind::kFilter: {
        const auto& filter = static_cast<const FilterCall&>(expression);
        if (filter.function == nullptr && !soft) {
          throw SyntaxFault(filter.line, fmt::format("no filter named '{}'", printable(filter.name)));
        }
        break;
      }
      case ExpressionKind::kTest: {
        const auto& test = static_cast<const TestCall&>(expression);
        if (test.function == nullptr && !soft) {
          throw SyntaxFault(test.line, fmt::format("no test named '{}'", printable(test.name)));
        }
        break;
      }
      default:
        break;
    }
    for_each_part(expression, [&](Expression& part) { bind(part, symbols, soft); });
  }
  void bind(Target& target, const Symbols& symbols) {
    if (target.kind != Target::Kind::kTuple) target.slot = place(target.name, symbols);
    for (Target& part : target.parts) bind(part, symbols);
  }
  void bind(Statements& statements, const Symbols& symbols, bool soft) {
    for (auto& statement : statements) bind(*statement, symbols, soft);
  }
  void bind(Statement& statement, const Symbols& symbols, bool soft);
  void bind_for(ForStatement& node, const Symbols& symbols, bool soft);
  void bind_macro(MacroDefinition& definition, const Symbols& symbols);
  void bind_with(With& node, const Symbols& symbols, bool soft);

  Program& program_;
};

void Binder::bind(Statement& statement, const Symbols& symbols, bool soft) {
  switch (statement.kind) {
    case StatementKind::kOutput:
      for (auto& part : static_cast<Output&>(statement).parts) {
        if (part.expression) bind(*part.expression, symbols, soft);
      }
      return;
    case StatementKind::kIf: {
      auto& node = static_cast<If&>(statement);
      for (If::Branch& branch : node.branches) {
        bind(*branch.test, symbols, true);
        bind(branch.body, symbols, true);
      }
      return bind(node.otherwise, symbols, true);
    }
    case StatementKind::kFor:
      return bind_for(static_cast<ForStatement&>(statement), symbols, soft);
    case StatementKind::kSet:
      bind(*static_cast<Set&>(statement).value, symbols, soft);
      return bind(static_cast<Set&>(statement).target, symbols);
    case StatementKind::kSetBlock: {
      auto& node = static_cast<SetBlock&>(statement);
      Symbols inner(symbols.function(), &symbols);
      Collector(inner).collect(node.body);
      if (node.filter) Collector(inner).collect(*node.filter);
      bind(node.body, inner, false);
      if (node.filter) bind(*node.filter, inner, false);
      node.scope = scope_of(inner);
      return bind(node.target, symbols);
    }
    case StatementKind::kMacro: {
      auto& node = static_cast<MacroStatement&>(statement);
      bind_macro(node.definition, symbols);
      node.slot = place(node.definition.name, symbols);
      return;
    }
    case StatementKind::kCallBlock:
      bind_macro(static_cast<CallBlock&>(statement).caller, symbols);
      return bind(*static_cast<CallBlock&>(statement).call, symbols, soft);
    case StatementKind::kGeneration:
      return bind_macro(static_cast<Generation&>(statement).caller, symbols);
    case StatementKind::kFilterBlock: {
      auto& node = static_cast<FilterBlock&>(statement);
      Symbols inner(symbols.function(), &symbols);
      Collector(inner).collect(node.body);
      Collector(inner).collect(*node.filter);
      bind(node.body, inner, false);
      bind(*node.filter, inner, false);
      node.scope = scope_of(inner);
      return;
    }
    case StatementKind::kWith:
      return bind_with(static_cast<With&>(statement), symbols, soft);
    case StatementKind::kBreak:
    case StatementKind::kContinue:
      return;
  }
}

void Binder::bind_with(With& node, const Symbols& symbols, bool soft) {
  Symbols inner(symbols.function(), &symbols);
  for (auto& [target, value] : node.assignments) Collector(inner).collect(target, true);
  Collector(inner).collect(node.body);
  for (auto& [target, value] : node.assignments) {
    bind(*value, symbols, soft);
    bind(target, inner);
  }
  bind(node.body, inner, false);
  node.scope = scope_of(inner);
}

// Which of the names are read inside before they are given a value there.
std::set<std::string> undeclared(Statements& body, std::set<std::string> names) {
  std::set<std::string> found;
  NameWalk([&](const std::string& name, NameUse use) {
    if (use == NameUse::kAssigned || use == NameUse::kParameter) {
      names.erase(name);
    } else if (use == NameUse::kRead && names.contains(name)) {
      found.insert(name);
    }
  }).walk(body);
  return found;
}

void Binder::bind_for(ForStatement& node, const Symbols& symbols, bool soft) {
  NameWalk([&](const std::string& name, NameUse use) {
    if (name == "loop" && use == NameUse::kAssigned) {
      throw SyntaxFault(node.line, "the variable 'loop' cannot be set inside of a loop");
    }
  }).walk(static_cast<Statement&>(node));
  bind(*node.iterable, symbols, soft);

  FunctionPlan recursive{.function = &node.recursive_function, .outer = &symbols.function()};
  FunctionPlan& function = node.is_recursive ? recursive : symbols.function();
  if (node.is_recursive || node.test) symbols.function().function->has_inner_functions = true;
  Symbols loop(function, &symbols);
  node.uses_loop = node.is_recursive || undeclared(node.body, {"loop"}).contains("loop");
  if (node.uses_loop) node.loop_index = loop.declare_parameter("loop");
  Collector(loop).collect(node.target, true);
  Collector(loop).collect(node.body);

  if (node.test) {
    FunctionPlan condition{.function = &node.test_function, .outer = &symbols.function()};
    Symbols test(condition, &symbols);
    node.test_target = node.target;
    Collector(test).collect(node.test_target, true);
    Collector(test).collect(*node.test);
    bind(node.test_target, test);
    bind(*node.test, test, false);
    node.test_scope = scope_of(test);
  }
  bind(node.target, loop);
  bind(node.body, loop, false);
  node.body_scope = scope_of(loop);

  Symbols otherwise(function, &symbols);
  Collector(otherwise).collect(node.otherwise);
  bind(node.otherwise, otherwise, false);
  node.otherwise_scope = scope_of(otherwise);
}

void Binder::bind_macro(MacroDefinition& definition, const Symbols& symbols) {
  symbols.function().function->has_inner_functions = true;
  FunctionPlan function{.function = &definition.function, .outer = &symbols.function()};
  Symbols inner(function, &symbols);
  const auto has_parameter = [&](std::string_view name) {
    return std::any_of(definition.parameters.begin(), definition.parameters.end(),
                       [&](const auto& parameter) { return parameter.name == name; });
  };
  for (auto& parameter : definition.parameters) parameter.index = inner.declare_parameter(parameter.name);
  for (auto& parameter : definition.parameters) {
    if (parameter.fallback) Collector(inner).collect(*parameter.fallback);
  }
  Collector(inner).collect(definition.body);

  const std::set<std::string> special = undeclared(definition.body, {"caller", "kwargs", "varargs"});
  definition.names_caller = has_parameter("caller");
  if (special.contains("caller")) {
    if (!definition.names_caller) {
      definition.caller_index = inner.declare_parameter("caller");
    } else if (std::none_of(definition.parameters.begin(), definition.parameters.end(), [](const auto& parameter) {
                 return parameter.name == "caller" && parameter.fallback != nullptr;
               })) {
      throw SyntaxFault(definition.line, "the parameter 'caller' needs a default");
    }
  }
  if (special.contains("kwargs") && !has_parameter("kwargs")) {
    definition.kwargs_index = inner.declare_parameter("kwargs");
  }
  if (special.contains("varargs") && !has_parameter("varargs")) {
    definition.varargs_index = inner.declare_parameter("varargs");
  }
  for (auto& parameter : definition.parameters) {
    if (parameter.fallback) bind(*parameter.fallback, inner, false);
  }
  bind(definition.body, inner, false);
  definition.scope = scope_of(inner);
}

}  // namespace

void give_places(Program& program) { Binder(program).bind_program(); }

}  // namespace anneal::datasets::jinja
