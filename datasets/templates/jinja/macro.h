#pragma once
// A macro as a value: its definition, and the variables that it can see.

#include "datasets/templates/jinja/ast.h"

namespace anneal::datasets::jinja {

struct Frame;

class MacroBody : public Object {
 public:
  MacroBody(Heap& heap, const MacroDefinition& what, Frame* where)
      : Object(heap, sizeof(MacroBody)), definition(what), surroundings(where) {}
  const MacroDefinition& definition;
  Frame* const surroundings;
};

}  // namespace anneal::datasets::jinja
