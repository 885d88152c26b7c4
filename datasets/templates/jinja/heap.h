#pragma once
// What a render has used so far, and the sentence that ends it when it wants too much. One per render, one thread.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "datasets/templates/chat_template.h"

namespace anneal::datasets::jinja {

// What jinja2 would raise, or a limit that was reached. The evaluator adds the template's name and line.
class Failure : public std::runtime_error {
 public:
  explicit Failure(const std::string& what, bool raised_by_template = false)
      : std::runtime_error(what), raised_by_template_(raised_by_template) {}
  bool raised_by_template() const { return raised_by_template_; }

 private:
  bool raised_by_template_;
};

class Heap {
 public:
  explicit Heap(const RenderLimits& limits) : limits_(limits) {
    // A value holds the length of a text in 32 bits.
    limits_.output_bytes = std::min(limits_.output_bytes, std::size_t{1} << 31);
  }
  Heap(const Heap&) = delete;
  Heap& operator=(const Heap&) = delete;

  const RenderLimits& limits() const { return limits_; }

  void charge_steps(int64_t steps) {
    steps_ += steps;
    if (steps_ > limits_.steps) too_many_steps();
  }
  // Copying and comparing cost too, but far less per byte than a step.
  void charge_bytes(std::size_t bytes) { charge_steps(static_cast<int64_t>(bytes / 1024)); }

  // Before a text of that size is made.
  void check_text(std::size_t bytes) const {
    if (bytes > limits_.output_bytes) text_too_long();
  }
  // Before a list of that size is filled.
  void check_room(std::size_t bytes) const {
    if (used_bytes_ + bytes > limits_.memory_bytes) too_much_memory();
  }
  void take_memory(std::size_t bytes) {
    used_bytes_ += bytes;
    if (used_bytes_ > limits_.memory_bytes) {
      used_bytes_ -= bytes;
      too_much_memory();
    }
  }
  void return_memory(std::size_t bytes) { used_bytes_ -= bytes; }

 private:
  [[noreturn]] void too_many_steps() const;
  [[noreturn]] void text_too_long() const;
  [[noreturn]] void too_much_memory() const;

  RenderLimits limits_;
  int64_t steps_ = 0;
  std::size_t used_bytes_ = 0;
};

}  // namespace anneal::datasets::jinja
