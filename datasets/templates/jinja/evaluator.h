#pragma once
// Runs a parsed template once. Made for one render, used by one thread, thrown away.

#include <memory>
#include <string_view>
#include <vector>

#include "datasets/templates/jinja/ast.h"
#include "datasets/templates/jinja/context_view.h"
#include "datasets/templates/jinja/text.h"

namespace anneal::datasets::jinja {

class LoopBody;
class MacroBody;

// The variables of one call of a Function.
struct Frame {
  Frame* outer = nullptr;
  std::vector<Value> slots;
};

class Evaluator {
 public:
  // All three stay where they are until the evaluator is gone.
  Evaluator(const Program& program, const ContextView& context, const RenderOptions& options);
  ~Evaluator();

  // Throws Failure; line() then tells where.
  RenderedParts run();
  int line() const { return line_; }

  // For builtins.
  Heap& heap() { return heap_; }
  const RenderOptions& options() const { return options_; }
  Value attribute(const Value& base, const Value& name);  // base.name
  Value item(const Value& base, const Value& key);        // base[key]
  // base.name without a look at base["name"]: what the filter attr does.
  Value member(const Value& base, const Value& name);
  Value call(const Value& callee, const Arguments& arguments);
  Value make_namespace(const Arguments& arguments);

 private:
  enum class Flow : uint8_t { kNormal, kBreak, kContinue };
  class FilteredItems;
  friend class FilteredItems;

  // Variables (evaluator_scopes.cpp).
  Frame* make_frame(const Function& function, Frame* outer);
  void give_back(Frame* frame, const Function& function);
  void enter(const Scope& scope, Frame& frame);
  static void leave(const Scope& scope, Frame& frame);
  static Value& at(const Slot& slot, Frame& frame);
  const Value& context_value(int name);
  void assign(const Target& target, const Value& value, Frame& frame);
  void assign_parts(const Target& target, const Value& value, Frame& frame);

  // Statements (evaluator_statements.cpp).
  Flow execute(const Statements& statements, Frame& frame);
  Flow execute(const Statement& statement, Frame& frame);
  void print(const Output& node, Frame& frame);
  void print(const Value& value);
  Flow execute_if(const If& node, Frame& frame);
  Flow execute_for(const ForStatement& node, Frame& frame);
  Flow execute_rounds(const ForStatement& node, const Value& iterable, int depth, Frame& frame, Frame& outside);
  Flow execute_round(const ForStatement& node, const Value& item, Frame& frame);
  Value render_recursive(const ForStatement& node, const Value& iterable, int depth, Frame& surroundings);
  void execute_set(const Set& node, Frame& frame);
  Flow execute_set_block(const SetBlock& node, Frame& frame);
  Flow execute_filter_block(const FilterBlock& node, Frame& frame);
  Flow execute_with(const With& node, Frame& frame);
  void execute_generation(const Generation& node, Frame& frame);
  void execute_call_block(const CallBlock& node, Frame& frame);
  void check_namespaces(const Target& target, Frame& frame);

  // Expressions (evaluator_expressions.cpp).
  Value evaluate(const Expression& expression, Frame& frame);
  Value evaluate_name(const Name& node, Frame& frame);
  Value evaluate_call(const Call& node, Frame& frame, const Value* caller = nullptr);
  Value evaluate_filter(const FilterCall& node, Frame& frame);
  bool evaluate_test(const TestCall& node, Frame& frame);
  Value evaluate_slice(const Slice& node, Frame& frame);
  Value evaluate_compare(const Compare& node, Frame& frame);
  Value evaluate_concat(const Sequence& node, Frame& frame);
  Value evaluate_dict(const DictLiteral& node, Frame& frame);
  std::vector<Value> evaluate_all(const std::vector<ExpressionPointer>& nodes, Frame& frame);
  Arguments evaluate_arguments(const ArgumentList& list, Frame& frame);

  // Calls (evaluator_calls.cpp).
  Value call_macro(const MacroBody& macro, const Arguments& arguments);
  void bind_parameters(const MacroDefinition& definition, const Arguments& arguments, Frame& frame);

  const Program& program_;
  const ContextView& context_;
  const RenderOptions& options_;
  Heap heap_;
  const char* stack_begin_;
  int line_ = 1;
  int depth_ = 0;                               // macros and recursive loops
  std::vector<Value> context_values_;           // missing: neither in the context nor a function
  std::vector<bool> is_known_;                  // whether it was looked for
  std::vector<std::unique_ptr<Frame>> frames_;  // all that were made
  std::vector<Frame*> free_frames_;
  std::vector<Value> namespaces_;
  TextBuilder* out_ = nullptr;
  uint32_t turn_ = 0;                // 1 + the message whose turn in a loop it is
  const Value* buffered_ = nullptr;  // what a filter block or a set block with a filter printed
};

// A JSON value of the context as a template's value; texts are looked at in place.
Value from_json(Heap& heap, const Json& value, Origin origin);
// The variable "messages", at most the first `count`: its texts know which message they come from.
Value messages_from_json(Heap& heap, const Json& messages, std::size_t count);

}  // namespace anneal::datasets::jinja
