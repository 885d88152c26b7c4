#pragma once
// The variable `loop` inside a {% for %}.

#include <vector>

#include "datasets/templates/jinja/iteration.h"

namespace anneal::datasets::jinja {

struct Frame;
struct ForStatement;

class LoopBody : public Object {
 public:
  LoopBody(Heap& heap, const Value& iterable, int depth)
      : Object(heap, sizeof(LoopBody)), depth0(depth), iterable_(iterable), iteration_(heap, iterable) {}

  // The next round; false: there is none.
  bool advance();

  Integer index0 = -1;
  const int depth0;  // how many loops of the same {% for … recursive %} this one is inside of
  Value current, before;
  Value changed_value;  // what loop.changed was given last; missing at first

  // Reads an iterator to its end if that is the only way to know.
  Integer length();
  // The item of the next round, or missing. Reads one item ahead.
  const Value& peek();

  // Set for a recursive loop: what loop(…) renders, and in which surroundings.
  const ForStatement* recursive = nullptr;
  Frame* surroundings = nullptr;

 private:
  bool read(Value& item);

  Value iterable_;
  Iteration iteration_;
  Value after_;             // read ahead; missing: nothing was
  bool is_at_end_ = false;  // an iterator must not be asked again
  Integer length_ = -1;
};

}  // namespace anneal::datasets::jinja
