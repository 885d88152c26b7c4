#include "datasets/templates/jinja/heap.h"

#include <fmt/format.h>

namespace anneal::datasets::jinja {

void Heap::too_many_steps() const {
  throw Failure(fmt::format("the template takes more than {} steps for one conversation", limits_.steps));
}

void Heap::text_too_long() const {
  throw Failure(fmt::format("the template makes a text of more than {} bytes", limits_.output_bytes));
}

void Heap::too_much_memory() const {
  throw Failure(fmt::format("the template holds more than {} bytes of values", limits_.memory_bytes));
}

}  // namespace anneal::datasets::jinja
