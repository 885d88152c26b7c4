#pragma once
// One Problem per wrong tensor is right for ten of them and a wall of text for ten thousand.

#include <vector>

#include "kernels/core/error.h"

namespace anneal::engine {

// Throws ProblemError with the first twenty and the number of the others; returns if there are none.
void throw_if_any(std::vector<Problem> problems);

}  // namespace anneal::engine
