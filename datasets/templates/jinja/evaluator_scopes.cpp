#include <fmt/format.h>

#include <algorithm>

#include "datasets/templates/jinja/containers.h"
#include "datasets/templates/jinja/evaluator.h"
#include "datasets/templates/jinja/iteration.h"
#include "datasets/templates/jinja/method.h"
#include "datasets/templates/jinja/stack_guard.h"
#include "kernels/core/error.h"

namespace anneal::datasets::jinja {

Evaluator::Evaluator(const Program& program, const ContextView& context, const RenderOptions& options)
    : program_(program),
      context_(context),
      options_(options),
      heap_(options.limits),
      stack_begin_(stack_place()),
      context_values_(program.context_names.size()),
      is_known_(program.context_names.size()) {}

Evaluator::~Evaluator() {
  // Namespaces may hold themselves or each other; the list keeps each alive until all are empty. What is left in frames
  // may give other frames back while it goes.
  for (const Value& value : namespaces_) value.as<NamespaceBody>().attributes.clear();
  for (std::size_t i = 0; i < frames_.size(); ++i) frames_[i]->slots.clear();
}

RenderedParts Evaluator::run() {
  TextBuilder out(heap_);
  out_ = &out;
  Frame* frame = make_frame(program_.function, nullptr);
  enter(program_.scope, *frame);
  execute(program_.body, *frame);
  return out.take_parts();
}

Frame* Evaluator::make_frame(const Function& function, Frame* outer) {
  Frame* frame = nullptr;
  if (free_frames_.empty()) {
    heap_.take_memory(sizeof(Frame));
    frames_.push_back(std::make_unique<Frame>());
    frame = frames_.back().get();
  } else {
    frame = free_frames_.back();
    free_frames_.pop_back();
  }
  const auto count = static_cast<std::size_t>(function.slot_count);
  if (count > frame->slots.capacity()) heap_.take_memory((count - frame->slots.capacity()) * sizeof(Value));
  frame->slots.assign(count, Value());
  frame->outer = outer;
  return frame;
}

// A frame that an inner function may still look at is kept to the end of the render.
void Evaluator::give_back(Frame* frame, const Function& function) {
  if (function.has_inner_functions) return;
  frame->slots.assign(frame->slots.size(), Value());
  free_frames_.push_back(frame);
}

Value& Evaluator::at(const Slot& slot, Frame& frame) {
  Frame* place = &frame;
  for (int hops = slot.hops; hops > 0; --hops) place = place->outer;
  return place->slots[static_cast<std::size_t>(slot.index)];
}

void Evaluator::enter(const Scope& scope, Frame& frame) {
  for (const ScopeLoad& load : scope.loads) {
    Value& value = frame.slots[static_cast<std::size_t>(load.index)];
    switch (load.from) {
      case ScopeLoad::From::kContext:
        value = context_value(load.name);
        break;
      case ScopeLoad::From::kOuter:
        value = at(load.outer, frame);
        break;
      case ScopeLoad::From::kUndefined:
        value = Value();
        break;
    }
  }
}

void Evaluator::leave(const Scope& scope, Frame& frame) {
  for (const int index : scope.locals) frame.slots[static_cast<std::size_t>(index)] = Value();
}

const Value& Evaluator::context_value(int name) {
  Value& value = context_values_[static_cast<std::size_t>(name)];
  if (is_known_[static_cast<std::size_t>(name)]) return value;
  is_known_[static_cast<std::size_t>(name)] = true;
  const std::string& text = program_.context_names[static_cast<std::size_t>(name)];
  const ContextView::Found found = context_.find(text);
  if (found.value == nullptr) {
    const Builtin function = find_function(text);
    if (function != nullptr) value = make<FunctionBody>(Kind::kFunction, heap_, function);
  } else if (text == "messages") {
    value = messages_from_json(heap_, *found.value, context_.message_count);
  } else {
    const auto& own = options_.template_variables;
    const bool is_own = found.is_own || std::find(own.begin(), own.end(), text) != own.end();
    value = from_json(heap_, *found.value, is_own ? kFromTemplate : kFromData);
  }
  return value;
}

void Evaluator::assign(const Target& target, const Value& value, Frame& frame) {
  switch (target.kind) {
    case Target::Kind::kName:
      at(target.slot, frame) = value;
      return;
    case Target::Kind::kNamespaceAttribute:
      at(target.slot, frame).as<NamespaceBody>().set(Value::text(target.attribute), value);
      return;
    case Target::Kind::kTuple:
      return assign_parts(target, value, frame);
  }
}

void Evaluator::assign_parts(const Target& target, const Value& value, Frame& frame) {
  if (!can_iterate(value)) throw Failure(fmt::format("cannot unpack non-iterable {} object", type_name(value)));
  std::vector<Value> items;
  Iteration iteration(heap_, value);
  for (Value item; items.size() <= target.parts.size() && iteration.next(item);) items.push_back(std::move(item));
  if (items.size() > target.parts.size()) {
    throw Failure(fmt::format("too many values to unpack (expected {})", target.parts.size()));
  }
  if (items.size() < target.parts.size()) {
    throw Failure(fmt::format("not enough values to unpack (expected {}, got {})", target.parts.size(), items.size()));
  }
  for (std::size_t i = 0; i < items.size(); ++i) assign(target.parts[i], items[i], frame);
}

void Evaluator::check_namespaces(const Target& target, Frame& frame) {
  if (target.kind == Target::Kind::kNamespaceAttribute && !at(target.slot, frame).is(Kind::kNamespace)) {
    throw Failure(fmt::format("'{}' is no namespace, so '{}.{}' cannot be set", target.name, target.name,
                              printable(target.attribute)));
  }
  for (const Target& part : target.parts) check_namespaces(part, frame);
}

}  // namespace anneal::datasets::jinja
