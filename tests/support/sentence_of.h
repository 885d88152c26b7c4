#pragma once
// The sentence with which something is refused, for comparison with the expected one; empty if it is not refused.

#include <string>

#include "kernels/core/error.h"

namespace anneal::tests {

template <class Body>
std::string sentence_of(Body&& body) {
  try {
    body();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

}  // namespace anneal::tests
