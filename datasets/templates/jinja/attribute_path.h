#pragma once
// "author.name" or 0 as the argument of a filter: which part of an item is meant.

#include <vector>

#include "datasets/templates/jinja/value.h"

namespace anneal::datasets::jinja {

class Evaluator;

class AttributePath {
 public:
  // None: the item itself. A text: names and numbers between points. Anything else: one key.
  explicit AttributePath(const Value& attribute);
  // `fallback` replaces what is undefined on the way; missing: nothing does.
  Value of(Evaluator& evaluator, const Value& item, const Value& fallback = {}) const;

  // "age,name" as several.
  static std::vector<AttributePath> list(const Value& attributes);

 private:
  std::vector<Value> parts_;
};

}  // namespace anneal::datasets::jinja
