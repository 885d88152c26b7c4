#include <fmt/format.h>

#include <algorithm>

#include "datasets/templates/jinja/containers.h"
#include "datasets/templates/jinja/evaluator.h"
#include "datasets/templates/jinja/loop.h"
#include "datasets/templates/jinja/macro.h"
#include "datasets/templates/jinja/method.h"
#include "datasets/templates/jinja/replaced.h"
#include "kernels/core/error.h"

namespace anneal::datasets::jinja {
namespace {

Value no_caller() { return Value::undefined(UndefinedReason::kHint, Value::text("No caller defined")); }

// Takes the argument of that name out of the list; missing: there is none.
Value take_named(std::vector<std::pair<Value, Value>>& named, std::string_view name) {
  const auto found =
      std::find_if(named.begin(), named.end(), [&](const auto& argument) { return argument.first.as_text() == name; });
  if (found == named.end()) return {};
  Value value = std::move(found->second);
  named.erase(found);
  return value;
}

}  // namespace

Value Evaluator::call(const Value& callee, const Arguments& arguments) {
  switch (callee.kind()) {
    case Kind::kUndefined:
      fail_undefined(callee);
    case Kind::kMacro:
      return call_macro(callee.as<MacroBody>(), arguments);
    case Kind::kMethod: {
      const auto& method = callee.as<MethodBody>();
      return method.member.method(*this, method.subject, arguments);
    }
    case Kind::kFunction:
      return callee.as<FunctionBody>().function(*this, Value(), arguments);
    case Kind::kLoop: {
      const auto& loop = callee.as<LoopBody>();
      if (loop.recursive == nullptr) {
        throw Failure("the loop must have the 'recursive' marker to be called recursively");
      }
      if (arguments.positional.size() != 1 || !arguments.named.empty()) {
        throw Failure("loop() takes one argument, what to go through");
      }
      return render_recursive(*loop.recursive, arguments.positional[0], loop.depth0 + 1, *loop.surroundings);
    }
    case Kind::kJoiner: {
      expect_positional(arguments, "joiner", 0, 0);
      auto& joiner = callee.as<JoinerBody>();
      if (joiner.is_used) return joiner.separator;
      joiner.is_used = true;
      return Value::text({});
    }
    default:
      throw Failure(fmt::format("'{}' object is not callable", type_name(callee)));
  }
}

void Evaluator::bind_parameters(const MacroDefinition& definition, const Arguments& arguments, Frame& frame) {
  const std::string_view name = definition.name.empty() ? "caller" : std::string_view(definition.name);
  const auto slot = [&](int index) -> Value& { return frame.slots[static_cast<std::size_t>(index)]; };
  std::vector<std::pair<Value, Value>> named = arguments.named;
  const std::size_t given = std::min(arguments.positional.size(), definition.parameters.size());
  for (std::size_t i = 0; i < definition.parameters.size(); ++i) {
    const auto& parameter = definition.parameters[i];
    slot(parameter.index) = i < given ? arguments.positional[i] : take_named(named, parameter.name);
  }
  if (definition.caller_index >= 0) {
    Value caller = take_named(named, "caller");
    slot(definition.caller_index) = caller.is_missing() || caller.is_none() ? no_caller() : caller;
  }
  if (definition.kwargs_index >= 0) {
    auto* rest = new DictBody(heap_);
    const Value value = Value::object(Kind::kDict, rest);
    for (const auto& [key, argument] : named) rest->set(key, argument);
    slot(definition.kwargs_index) = value;
  } else if (!named.empty()) {
    throw Failure(fmt::format("macro '{}' takes no keyword argument '{}'", name, printable(named[0].first.as_text())));
  }
  if (definition.varargs_index >= 0) {
    const auto rest = arguments.positional.begin() + static_cast<std::ptrdiff_t>(given);
    slot(definition.varargs_index) = make_tuple(heap_, std::vector<Value>(rest, arguments.positional.end()));
  } else if (arguments.positional.size() > given) {
    throw Failure(fmt::format("macro '{}' takes not more than {} argument(s)", name, definition.parameters.size()));
  }
}

Value Evaluator::call_macro(const MacroBody& macro, const Arguments& arguments) {
  const MacroDefinition& definition = macro.definition;
  const Replaced deeper(depth_, depth_ + 1);
  if (depth_ > options_.limits.depth) {
    throw Failure(fmt::format("the macro '{}' calls itself too deeply", definition.name));
  }
  Frame* frame = make_frame(definition.function, macro.surroundings);
  bind_parameters(definition, arguments, *frame);
  TextBuilder out(heap_);
  const Replaced output(out_, &out);
  enter(definition.scope, *frame);
  for (const auto& parameter : definition.parameters) {
    Value& value = frame->slots[static_cast<std::size_t>(parameter.index)];
    if (!value.is_missing()) continue;
    if (parameter.fallback) {
      value = evaluate(*parameter.fallback, *frame);
    } else {
      value = Value::undefined(UndefinedReason::kHint,
                               make_text(heap_, fmt::format("parameter '{}' was not provided", parameter.name)));
    }
  }
  execute(definition.body, *frame);
  give_back(frame, definition.function);
  return out.take();
}

void Evaluator::execute_generation(const Generation& node, Frame& frame) {
  Frame* inner = make_frame(node.caller.function, &frame);
  bind_parameters(node.caller, {}, *inner);
  enter(node.caller.scope, *inner);
  const std::size_t begin = out_->size();
  execute(node.caller.body, *inner);
  out_->mark_generated(begin);
  give_back(inner, node.caller.function);
}

void Evaluator::execute_call_block(const CallBlock& node, Frame& frame) {
  const Value caller = make<MacroBody>(Kind::kMacro, heap_, node.caller, &frame);
  print(evaluate_call(static_cast<const Call&>(*node.call), frame, &caller));
}

Value Evaluator::make_namespace(const Arguments& arguments) {
  if (arguments.positional.size() > 1) throw Failure("namespace() takes at most one positional argument");
  auto* body = new NamespaceBody(heap_);
  Value value = Value::object(Kind::kNamespace, body);
  namespaces_.push_back(value);
  if (!arguments.positional.empty()) {
    const Value& given = arguments.positional[0];
    if (!given.is(Kind::kDict)) throw Failure(fmt::format("namespace() needs a mapping, not {}", type_name(given)));
    for (const auto& [key, item] : given.as<DictBody>().entries()) {
      if (key.is_text()) body->set(key, item);
    }
  }
  for (const auto& [key, item] : arguments.named) body->set(key, item);
  return value;
}

namespace {

Value macro_name(Evaluator&, const Value& subject) { return Value::text(subject.as<MacroBody>().definition.name); }
Value macro_arguments(Evaluator& evaluator, const Value& subject) {
  std::vector<Value> names;
  for (const auto& parameter : subject.as<MacroBody>().definition.parameters) {
    names.push_back(Value::text(parameter.name));
  }
  return make_tuple(evaluator.heap(), std::move(names));
}
Value takes_kwargs(Evaluator&, const Value& subject) {
  return Value::boolean(subject.as<MacroBody>().definition.kwargs_index >= 0);
}
Value takes_varargs(Evaluator&, const Value& subject) {
  return Value::boolean(subject.as<MacroBody>().definition.varargs_index >= 0);
}
Value uses_caller(Evaluator&, const Value& subject) {
  return Value::boolean(subject.as<MacroBody>().definition.caller_index >= 0);
}

constexpr Member kMacroMembers[] = {
    {.name = "name", .property = macro_name},           {.name = "arguments", .property = macro_arguments},
    {.name = "catch_kwargs", .property = takes_kwargs}, {.name = "catch_varargs", .property = takes_varargs},
    {.name = "caller", .property = uses_caller},
};

}  // namespace

std::span<const Member> macro_members() { return kMacroMembers; }

}  // namespace anneal::datasets::jinja
