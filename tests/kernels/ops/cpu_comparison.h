#pragma once
// For tests of the processor's ops against the references: a team, and how near the numbers must be.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "kernels/core/arena.h"
#include "kernels/cpu/worker.h"
#include "tests/kernels/ops/test_tensor.h"

namespace anneal::tests {

// A team of some threads with scratch, as a backend would own it.
class CpuTeam {
 public:
  explicit CpuTeam(int threads = 1, int64_t scratch_bytes = int64_t{8} << 20)
      : scratch_(threads * scratch_bytes), team_{threads, scratch_.data(), scratch_bytes} {}
  cpu::Worker whole() { return {team_}; }
  cpu::Worker part(int thread = 0) { return {team_, thread}; }

 private:
  Buffer scratch_;
  cpu::Team team_;
};

// Runs an op that may use the whole team with as much scratch as it asks for, all NaN: what it reads without having
// written it shows.
template <class Args>
void run_on_cpu(const Args& args, int threads = 2) {
  const int64_t bytes = std::max(cpu::scratch_bytes(args, threads), Arena::kAlignment);
  CpuTeam team(threads, (bytes + Arena::kAlignment - 1) / Arena::kAlignment * Arena::kAlignment);
  const cpu::Worker worker = team.whole();
  std::memset(worker.team.scratch, 0xFF, static_cast<std::size_t>(threads * worker.team.scratch_stride));
  cpu::run(args, worker);
}

// F32: sums of up to some thousand products in FP32 stay within a few units of 6e-8, relative to the largest value.
constexpr double kTolerance32 = 2e-6;
// BF16: the same number, rounded: at most one unit, 2^-7, where the FP32 value lies on the other side of a tie.
constexpr double kToleranceBf16 = 0x1p-7;

inline double tolerance_of(DType dtype) { return dtype == DType::kBF16 ? kToleranceBf16 : kTolerance32; }

inline double largest_of(const TestTensor& tensor) {
  double largest = 0;
  for (int64_t row = 0; row < tensor.view().rows(); ++row) {
    for (int64_t column = 0; column < tensor.view().columns(); ++column) {
      largest = std::max(largest, std::abs(tensor.at(row, column)));
    }
  }
  return largest;
}

// Every element within the type's tolerance: of itself for BF16, whose rounding is relative, plus the FP32 error, which
// is relative to the largest. `factor` widens the latter for long sums.
inline void expect_close(const TestTensor& actual, const TestTensor& expected, double factor = 1) {
  const double scale = kTolerance32 * factor * largest_of(expected);
  for (int64_t row = 0; row < expected.view().rows(); ++row) {
    for (int64_t column = 0; column < expected.view().columns(); ++column) {
      const double value = expected.at(row, column);
      ASSERT_NEAR(actual.at(row, column), value, scale + tolerance_of(expected.view().dtype()) * std::abs(value))
          << "row " << row << " of " << expected.view().rows() << ", column " << column << " of "
          << expected.view().columns();
    }
  }
  EXPECT_TRUE(actual.gaps_are_untouched()) << "wrote between the rows";
}

}  // namespace anneal::tests
