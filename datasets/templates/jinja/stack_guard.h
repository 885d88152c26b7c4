#pragma once
// Ends a template before it ends the program: what calls itself stops at a share of the thread's stack.

#include <cstddef>

#include "datasets/templates/jinja/heap.h"

namespace anneal::datasets::jinja {

// A thread has a few megabytes; sanitizers make frames several times larger, never this much.
inline constexpr std::ptrdiff_t kStackShare = 1 << 20;

inline const char* stack_place() { return static_cast<const char*>(__builtin_frame_address(0)); }

inline void check_stack(const char* begin) {
  const std::ptrdiff_t used = begin - stack_place();
  if (used > kStackShare || used < -kStackShare) throw Failure("the template calls itself too deeply");
}

}  // namespace anneal::datasets::jinja
