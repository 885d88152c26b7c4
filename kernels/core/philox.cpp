#include "kernels/core/philox.h"

#include <cmath>
#include <numbers>

namespace anneal {

uint64_t RandomStream::next_below(uint64_t bound) {
  // Numbers below 2^64 mod bound are drawn again, so that every result is equally likely.
  const uint64_t rejected = (0 - bound) % bound;
  for (;;) {
    const uint64_t high = next();
    const uint64_t number = (high << 32) | next();
    if (number >= rejected) return number % bound;
  }
}

double RandomStream::next_normal() {
  const double radius = std::sqrt(-2.0 * std::log(1.0 - next_uniform()));
  return radius * std::cos(2.0 * std::numbers::pi * next_uniform());
}

}  // namespace anneal
