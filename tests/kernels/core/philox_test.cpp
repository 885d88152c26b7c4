#include "kernels/core/philox.h"

#include <gtest/gtest.h>

#include <cmath>

namespace anneal {
namespace {

// The known answers published with the Random123 library.
TEST(Philox, GivesThePublishedAnswers) {
  EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}),
            (std::array<uint32_t, 4>{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox4x32({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}),
            (std::array<uint32_t, 4>{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (std::array<uint32_t, 4>{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(RandomStream, UsesDoNotShareNumbers) {
  EXPECT_NE(RandomStream(1, RandomUse::kDropout).at(0), RandomStream(1, RandomUse::kShuffle).at(0));
  EXPECT_NE(RandomStream(1, RandomUse::kDropout, 0).at(0), RandomStream(1, RandomUse::kDropout, 1).at(0));
}

TEST(RandomStream, NormalHasMeanZeroAndUnitVariance) {
  RandomStream random(7, RandomUse::kModelInit);
  double sum = 0, squares = 0;
  constexpr int kCount = 20000;
  for (int i = 0; i < kCount; ++i) {
    const double value = random.next_normal();
    sum += value;
    squares += value * value;
  }
  EXPECT_NEAR(sum / kCount, 0.0, 0.03);
  EXPECT_NEAR(squares / kCount, 1.0, 0.04);
}

TEST(RandomStream, BelowStaysBelow) {
  RandomStream random(3, RandomUse::kShuffle);
  for (int i = 0; i < 1000; ++i) ASSERT_LT(random.next_below(7), 7u);
}

}  // namespace
}  // namespace anneal
