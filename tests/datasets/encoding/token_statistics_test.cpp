#include "datasets/encoding/token_statistics.h"

#include <gtest/gtest.h>

namespace anneal::datasets::tests {
namespace {

TEST(LengthHistogram, OrderStatistics) {
  LengthHistogram lengths;
  EXPECT_EQ(lengths.median(), 0);
  EXPECT_EQ(lengths.percentile(99), 0);
  for (const int64_t length : {7, 3, 10, 3}) lengths.add(length);
  EXPECT_EQ(lengths.shortest(), 3);
  EXPECT_EQ(lengths.longest(), 10);
  EXPECT_EQ(lengths.median(), 5.0);  // 3 3 7 10
  EXPECT_EQ(lengths.percentile(99), 10);
  EXPECT_EQ(lengths.percentile(50), 3);
  EXPECT_EQ(lengths.rows_longer_than(3), 2);
  lengths.add(8);
  EXPECT_EQ(lengths.median(), 7.0);
}

TEST(LengthHistogram, NinetyNinthOfTwoHundred) {
  LengthHistogram lengths;
  for (int64_t length = 1; length <= 200; ++length) lengths.add(length);
  EXPECT_EQ(lengths.percentile(99), 198);
  EXPECT_EQ(lengths.median(), 100.5);
}

}  // namespace
}  // namespace anneal::datasets::tests
