#pragma once
// Python's str() and repr() of a value.

#include <string>

#include "datasets/templates/jinja/text.h"

namespace anneal::datasets::jinja {

// str(value). A text stays as it is, markup becomes a plain text.
Value to_text(Heap& heap, const Value& value);
// str(), but markup stays markup.
inline Value to_soft_text(Heap& heap, const Value& value) { return value.is_text() ? value : to_text(heap, value); }

// repr(value); of one origin as a whole.
Value to_repr(Heap& heap, const Value& value);

// The text of repr(), and the origins of the texts inside.
class ReprWriter {
 public:
  explicit ReprWriter(Heap& heap) : heap_(heap) {}
  void write(const Value& value);
  std::string text;
  Origin origin = kFromTemplate;

 private:
  void write_text(const Value& value);
  void write_items(const std::vector<Value>& items, char open, char close);
  void write_dict(const Value& value);
  void write_view(const Value& value);
  void write_namespace(const Value& value);

  Heap& heap_;
  int depth_ = 0;
};

}  // namespace anneal::datasets::jinja
