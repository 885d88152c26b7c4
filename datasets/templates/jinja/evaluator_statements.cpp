#include <fmt/format.h>

#include "datasets/templates/jinja/containers.h"
#include "datasets/templates/jinja/evaluator.h"
#include "datasets/templates/jinja/loop.h"
#include "datasets/templates/jinja/macro.h"
#include "datasets/templates/jinja/printing.h"
#include "datasets/templates/jinja/replaced.h"
#include "datasets/templates/jinja/stack_guard.h"

namespace anneal::datasets::jinja {

Evaluator::Flow Evaluator::execute(const Statements& statements, Frame& frame) {
  for (const auto& statement : statements) {
    const Flow flow = execute(*statement, frame);
    if (flow != Flow::kNormal) return flow;
  }
  return Flow::kNormal;
}

Evaluator::Flow Evaluator::execute(const Statement& statement, Frame& frame) {
  heap_.charge_steps(1);
  check_stack(stack_begin_);
  line_ = statement.line;
  switch (statement.kind) {
    case StatementKind::kOutput:
      print(static_cast<const Output&>(statement), frame);
      break;
    case StatementKind::kIf:
      return execute_if(static_cast<const If&>(statement), frame);
    case StatementKind::kFor:
      return execute_for(static_cast<const ForStatement&>(statement), frame);
    case StatementKind::kSet:
      execute_set(static_cast<const Set&>(statement), frame);
      break;
    case StatementKind::kSetBlock:
      return execute_set_block(static_cast<const SetBlock&>(statement), frame);
    case StatementKind::kMacro: {
      const auto& node = static_cast<const MacroStatement&>(statement);
      at(node.slot, frame) = make<MacroBody>(Kind::kMacro, heap_, node.definition, &frame);
      break;
    }
    case StatementKind::kCallBlock:
      execute_call_block(static_cast<const CallBlock&>(statement), frame);
      break;
    case StatementKind::kGeneration:
      execute_generation(static_cast<const Generation&>(statement), frame);
      break;
    case StatementKind::kFilterBlock:
      return execute_filter_block(static_cast<const FilterBlock&>(statement), frame);
    case StatementKind::kWith:
      return execute_with(static_cast<const With&>(statement), frame);
    case StatementKind::kBreak:
      return Flow::kBreak;
    case StatementKind::kContinue:
      return Flow::kContinue;
  }
  return Flow::kNormal;
}

void Evaluator::print(const Output& node, Frame& frame) {
  for (const Output::Part& part : node.parts) {
    if (part.expression) {
      print(evaluate(*part.expression, frame));
    } else {
      out_->append(part.data, {kFromTemplate, turn_, false});
    }
  }
}

void Evaluator::print(const Value& value) {
  if (value.is_text()) {
    out_->append(value, turn_);
  } else {
    out_->append(to_text(heap_, value), turn_);
  }
}

Evaluator::Flow Evaluator::execute_if(const If& node, Frame& frame) {
  for (const If::Branch& branch : node.branches) {
    line_ = branch.line;
    if (is_true(evaluate(*branch.test, frame))) return execute(branch.body, frame);
  }
  return execute(node.otherwise, frame);
}

// The items for which a loop's condition holds; asked for one by one, so that the condition sees what the loop changed.
class Evaluator::FilteredItems : public IteratorBody {
 public:
  FilteredItems(Evaluator& evaluator, const ForStatement& node, const Value& iterable, Frame& outside)
      : IteratorBody(evaluator.heap_, sizeof(FilteredItems)),
        evaluator_(evaluator),
        node_(node),
        iteration_(evaluator.heap_, iterable),
        frame_(evaluator.make_frame(node.test_function, &outside)) {
    nesting = nesting_of(iterable) + 1;
  }
  ~FilteredItems() override { evaluator_.give_back(frame_, node_.test_function); }

  bool next(Value& item) override {
    if (!is_entered_) evaluator_.enter(node_.test_scope, *frame_);
    is_entered_ = true;
    while (iteration_.next(item)) {
      evaluator_.assign(node_.test_target, item, *frame_);
      if (is_true(evaluator_.evaluate(*node_.test, *frame_))) return true;
    }
    return false;
  }

 private:
  Evaluator& evaluator_;
  const ForStatement& node_;
  Iteration iteration_;
  Frame* frame_;
  bool is_entered_ = false;
};

Evaluator::Flow Evaluator::execute_for(const ForStatement& node, Frame& frame) {
  const Value iterable = evaluate(*node.iterable, frame);
  line_ = node.line;
  if (node.is_recursive) {
    print(render_recursive(node, iterable, 0, frame));
    return Flow::kNormal;
  }
  return execute_rounds(node, iterable, 0, frame, frame);
}

Value Evaluator::render_recursive(const ForStatement& node, const Value& iterable, int depth, Frame& surroundings) {
  const Replaced deeper(depth_, depth_ + 1);
  if (depth_ > options_.limits.depth) throw Failure("a recursive loop calls itself too deeply");
  TextBuilder out(heap_);
  const Replaced output(out_, &out);
  Frame* frame = make_frame(node.recursive_function, &surroundings);
  execute_rounds(node, iterable, depth, *frame, surroundings);
  give_back(frame, node.recursive_function);
  return out.take();
}

Evaluator::Flow Evaluator::execute_rounds(const ForStatement& node, const Value& iterable, int depth, Frame& frame,
                                          Frame& outside) {
  Value items = iterable;
  if (node.test) items = make<FilteredItems>(Kind::kIterator, *this, node, iterable, outside);
  bool any = false;  // a round that came to its end; one that break or continue ended does not count in jinja2 either
  Flow flow = Flow::kNormal;
  if (node.uses_loop) {
    const Value loop_value = make<LoopBody>(Kind::kLoop, heap_, items, depth);
    auto& loop = loop_value.as<LoopBody>();
    if (node.is_recursive) {
      loop.recursive = &node;
      loop.surroundings = &outside;
    }
    while (flow != Flow::kBreak && loop.advance()) {
      frame.slots[static_cast<std::size_t>(node.loop_index)] = loop_value;
      flow = execute_round(node, loop.current, frame);
      any = any || flow == Flow::kNormal;
    }
    loop.changed_value = Value();  // it may hold the loop itself
  } else {
    Iteration iteration(heap_, items);
    for (Value item; flow != Flow::kBreak && iteration.next(item);) {
      flow = execute_round(node, item, frame);
      any = any || flow == Flow::kNormal;
    }
  }
  leave(node.body_scope, frame);
  if (any || !node.has_otherwise) return Flow::kNormal;
  enter(node.otherwise_scope, frame);
  flow = execute(node.otherwise, frame);
  leave(node.otherwise_scope, frame);
  return flow;
}

Evaluator::Flow Evaluator::execute_round(const ForStatement& node, const Value& item, Frame& frame) {
  const bool is_message = item.is(Kind::kDict) && item.as<DictBody>().message >= 0;
  const Replaced turn(turn_, is_message ? static_cast<uint32_t>(item.as<DictBody>().message) + 1 : turn_);
  assign(node.target, item, frame);
  enter(node.body_scope, frame);
  return execute(node.body, frame);
}

void Evaluator::execute_set(const Set& node, Frame& frame) {
  check_namespaces(node.target, frame);
  const Value value = evaluate(*node.value, frame);
  line_ = node.line;
  // The value may have put something else where the namespace was.
  check_namespaces(node.target, frame);
  assign(node.target, value, frame);
}

Evaluator::Flow Evaluator::execute_set_block(const SetBlock& node, Frame& frame) {
  TextBuilder out(heap_);
  enter(node.scope, frame);
  {
    const Replaced output(out_, &out);
    const Flow flow = execute(node.body, frame);
    if (flow != Flow::kNormal) return flow;
  }
  Value text = out.take();
  if (node.filter) {
    const Replaced buffered(buffered_, static_cast<const Value*>(&text));
    text = evaluate(*node.filter, frame);
  }
  line_ = node.line;
  check_namespaces(node.target, frame);
  assign(node.target, text, frame);
  leave(node.scope, frame);
  return Flow::kNormal;
}

Evaluator::Flow Evaluator::execute_filter_block(const FilterBlock& node, Frame& frame) {
  TextBuilder out(heap_);
  enter(node.scope, frame);
  {
    const Replaced output(out_, &out);
    const Flow flow = execute(node.body, frame);
    if (flow != Flow::kNormal) return flow;
  }
  const Value text = out.take();
  const Replaced buffered(buffered_, &text);
  print(evaluate(*node.filter, frame));
  leave(node.scope, frame);
  return Flow::kNormal;
}

Evaluator::Flow Evaluator::execute_with(const With& node, Frame& frame) {
  enter(node.scope, frame);
  for (const auto& [target, expression] : node.assignments) assign(target, evaluate(*expression, frame), frame);
  const Flow flow = execute(node.body, frame);
  leave(node.scope, frame);
  return flow;
}

}  // namespace anneal::datasets::jinja
