#pragma once
// A parsed template. Made by the parser, completed by scopes.h, then never changed.

#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "datasets/templates/jinja/builtins.h"

namespace anneal::datasets::jinja {

// Where a variable lives. jinja2 compiles a template to Python functions (the template, each macro, call block,
// generation block, loop condition and recursive loop); variables are the locals of these, also of loops within them.
struct Slot {
  int hops = 0;  // functions outward from the one that is running
  int index = 0;
};

struct Function {
  int slot_count = 0;
  bool has_inner_functions = false;  // then its variables outlive its call
};

// Variables that are set when a scope is entered.
struct ScopeLoad {
  enum class From : uint8_t {
    kContext,    // the variable of that name that the render was given
    kOuter,      // the variable of the same name outside
    kUndefined,  // nothing yet
  };
  int index = 0;
  From from = From::kUndefined;
  Slot outer;
  int name = 0;  // in Program::context_names
};
struct Scope {
  std::vector<ScopeLoad> loads;
  std::vector<int> locals;  // emptied when the scope is left
};

enum class ExpressionKind : uint8_t {
  kConstant,
  kName,
  kList,
  kTuple,
  kDict,
  kAttribute,
  kItem,
  kSlice,
  kCall,
  kFilter,
  kTest,
  kUnary,
  kBinary,
  kConcat,
  kCompare,
  kAnd,
  kOr,
  kConditional,
};

struct Expression {
  Expression(ExpressionKind which, int where) : kind(which), line(where) {}
  virtual ~Expression() = default;
  const ExpressionKind kind;
  const int line;
  int height = 1;  // how many expressions lie within each other; evaluating goes as deep
};
using ExpressionPointer = std::unique_ptr<Expression>;

struct Constant : Expression {
  explicit Constant(int where) : Expression(ExpressionKind::kConstant, where) {}
  Value value;  // a text looks at `storage`
  std::string storage;
};
struct Name : Expression {
  Name(int where, std::string text) : Expression(ExpressionKind::kName, where), name(std::move(text)) {}
  const std::string name;
  Slot slot;
};
struct Sequence : Expression {  // kList, kTuple, kConcat
  using Expression::Expression;
  std::vector<ExpressionPointer> items;
};
struct DictLiteral : Expression {
  explicit DictLiteral(int where) : Expression(ExpressionKind::kDict, where) {}
  std::vector<std::pair<ExpressionPointer, ExpressionPointer>> entries;
};
struct Attribute : Expression {
  explicit Attribute(int where) : Expression(ExpressionKind::kAttribute, where) {}
  ExpressionPointer base;
  std::string name;
};
struct Item : Expression {
  explicit Item(int where) : Expression(ExpressionKind::kItem, where) {}
  ExpressionPointer base, index;
};
struct Slice : Expression {
  explicit Slice(int where) : Expression(ExpressionKind::kSlice, where) {}
  ExpressionPointer base, start, stop, step;  // all but base may be null
};
struct ArgumentList {
  std::vector<ExpressionPointer> positional;
  std::vector<std::pair<std::string, ExpressionPointer>> named;
  ExpressionPointer all_positional, all_named;  // *x and **x; may be null
};
struct Call : Expression {
  explicit Call(int where) : Expression(ExpressionKind::kCall, where) {}
  ExpressionPointer callee;
  ArgumentList arguments;
};
struct FilterCall : Expression {
  explicit FilterCall(int where) : Expression(ExpressionKind::kFilter, where) {}
  ExpressionPointer subject;  // null in a filter block: what the block printed
  std::string name;
  Builtin function = nullptr;  // null: unknown; an error once it is reached
  ArgumentList arguments;
};
struct TestCall : Expression {
  explicit TestCall(int where) : Expression(ExpressionKind::kTest, where) {}
  ExpressionPointer subject;
  std::string name;
  Test function = nullptr;
  ArgumentList arguments;
};
enum class Operator : uint8_t {
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kFloorDivide,
  kModulo,
  kPower,
  kEqual,
  kNotEqual,
  kLess,
  kLessEqual,
  kGreater,
  kGreaterEqual,
  kIn,
  kNotIn,
  kNegate,
  kPlus,
  kNot,
};
struct Unary : Expression {
  Unary(int where, Operator which) : Expression(ExpressionKind::kUnary, where), operation(which) {}
  const Operator operation;
  ExpressionPointer operand;
};
struct Binary : Expression {  // kBinary, kAnd, kOr
  Binary(ExpressionKind which, int where) : Expression(which, where) {}
  Operator operation = Operator::kAdd;
  ExpressionPointer left, right;
};
struct Compare : Expression {
  explicit Compare(int where) : Expression(ExpressionKind::kCompare, where) {}
  ExpressionPointer first;
  std::vector<std::pair<Operator, ExpressionPointer>> rest;
};
struct Conditional : Expression {
  explicit Conditional(int where) : Expression(ExpressionKind::kConditional, where) {}
  ExpressionPointer test, value, otherwise;  // otherwise may be null
};

// What can be assigned to.
struct Target {
  enum class Kind : uint8_t { kName, kNamespaceAttribute, kTuple };
  Kind kind = Kind::kName;
  int line = 1;
  std::string name;       // the variable, or the namespace
  std::string attribute;  // of the namespace
  Slot slot;
  std::vector<Target> parts;
};

enum class StatementKind : uint8_t {
  kOutput,
  kIf,
  kFor,
  kSet,
  kSetBlock,
  kMacro,
  kCallBlock,
  kGeneration,
  kFilterBlock,
  kWith,
  kBreak,
  kContinue,
};

struct Statement {
  Statement(StatementKind which, int where) : kind(which), line(where) {}
  virtual ~Statement() = default;
  const StatementKind kind;
  const int line;
};
using Statements = std::vector<std::unique_ptr<Statement>>;

struct Output : Statement {
  explicit Output(int where) : Statement(StatementKind::kOutput, where) {}
  struct Part {
    std::string data;  // printed as it is, if there is no expression
    ExpressionPointer expression;
  };
  std::vector<Part> parts;
};
struct If : Statement {
  explicit If(int where) : Statement(StatementKind::kIf, where) {}
  struct Branch {
    int line = 1;
    ExpressionPointer test;
    Statements body;
  };
  std::vector<Branch> branches;  // if, elif, …
  Statements otherwise;
};
struct ForStatement : Statement {
  explicit ForStatement(int where) : Statement(StatementKind::kFor, where) {}
  Target target;
  ExpressionPointer iterable, test;  // test may be null
  bool is_recursive = false;
  Statements body, otherwise;
  bool has_otherwise = false;

  bool uses_loop = false;
  int loop_index = 0;  // of the variable `loop`
  Scope body_scope, otherwise_scope, test_scope;
  Target test_target;  // the target inside the function of the test
  Function test_function;
  Function recursive_function;  // of a recursive loop
};
struct Set : Statement {
  explicit Set(int where) : Statement(StatementKind::kSet, where) {}
  Target target;
  ExpressionPointer value;
};
struct SetBlock : Statement {
  explicit SetBlock(int where) : Statement(StatementKind::kSetBlock, where) {}
  Target target;
  ExpressionPointer filter;  // may be null; the innermost filter's subject is null
  Statements body;
  Scope scope;
};
// What a macro and the body of a call block have in common.
struct MacroDefinition {
  std::string name;  // empty: a call block's
  int line = 1;
  struct Parameter {
    std::string name;
    int index = 0;
    ExpressionPointer fallback;  // may be null
  };
  std::vector<Parameter> parameters;
  Statements body;

  Scope scope;
  Function function;
  // The slots of the special parameters; -1: the body does not use it.
  int caller_index = -1, kwargs_index = -1, varargs_index = -1;
  bool names_caller = false;  // "caller" is one of the parameters
};
struct MacroStatement : Statement {
  explicit MacroStatement(int where) : Statement(StatementKind::kMacro, where) {}
  MacroDefinition definition;
  Slot slot;
};
struct CallBlock : Statement {
  explicit CallBlock(int where) : Statement(StatementKind::kCallBlock, where) {}
  MacroDefinition caller;
  ExpressionPointer call;  // a Call
};
struct Generation : Statement {
  explicit Generation(int where) : Statement(StatementKind::kGeneration, where) {}
  MacroDefinition caller;  // without parameters
};
struct FilterBlock : Statement {
  explicit FilterBlock(int where) : Statement(StatementKind::kFilterBlock, where) {}
  ExpressionPointer filter;
  Statements body;
  Scope scope;
};
struct With : Statement {
  explicit With(int where) : Statement(StatementKind::kWith, where) {}
  std::vector<std::pair<Target, ExpressionPointer>> assignments;
  Statements body;
  Scope scope;
};
struct LoopControl : Statement {  // kBreak, kContinue
  using Statement::Statement;
};

struct Program {
  std::string name;
  std::string source;
  Statements body;
  Scope scope;
  Function function;
  std::vector<std::string> context_names;        // the variables that come from outside
  std::set<std::string, std::less<>> variables;  // all names that are read anywhere
  bool has_generation = false;
  bool has_fixed_generation_prompt = false;  // see generation_prompt.h
};

}  // namespace anneal::datasets::jinja
