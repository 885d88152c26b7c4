#pragma once
// A method without its call ("x.strip"), and the functions that a template finds ready.

#include "datasets/templates/jinja/builtins.h"

namespace anneal::datasets::jinja {

class MethodBody : public Object {
 public:
  MethodBody(Heap& heap, Value subject_value, const Member& what)
      : Object(heap, sizeof(MethodBody)), subject(std::move(subject_value)), member(what) {}
  const Value subject;
  const Member& member;
};

class FunctionBody : public Object {
 public:
  FunctionBody(Heap& heap, Builtin what) : Object(heap, sizeof(FunctionBody)), function(what) {}
  const Builtin function;
};

}  // namespace anneal::datasets::jinja
