#include "engine/generation/sampler.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

namespace anneal::engine {
namespace {

// ln of 0.5, 0.25, 0.15, 0.1: probabilities that are easy to add up.
const std::vector<float> kLogits{std::log(0.15f), std::log(0.5f), std::log(0.1f), std::log(0.25f)};

std::map<int32_t, double> shares(SamplingOptions options, const std::vector<int32_t>& seen = {}) {
  constexpr int kDraws = 20000;
  options.seed = 3;
  Sampler sampler(options);
  std::map<int32_t, double> counts;
  for (int i = 0; i < kDraws; ++i) counts[sampler.next(kLogits, seen)] += 1.0 / kDraws;
  return counts;
}

TEST(Sampler, TemperatureZeroTakesTheMostLikely) { EXPECT_EQ(Sampler({}).next(kLogits, {}), 1); }

TEST(Sampler, OfEqualLogitsTheLowestIdIsTaken) {
  const std::vector<float> logits{0.5f, 2.0f, 2.0f, 2.0f};
  EXPECT_EQ(Sampler({}).next(logits, {}), 1);
  EXPECT_EQ(Sampler({.temperature = 1, .top_k = 1}).next(logits, {}), 1);
}

TEST(Sampler, ARepeatedTokenIsPunishedOnceHoweverOftenItStands) {
  // 2 / 1.5 = 1.33 loses against 1.5; divided twice, 0.89 would lose against 1 too.
  const std::vector<float> logits{2.0f, 1.5f, 1.0f};
  const std::vector<int32_t> seen{0, 0, 1};
  EXPECT_EQ(Sampler({.repetition_penalty = 1.5}).next(logits, seen), 0);
  EXPECT_EQ(Sampler({.repetition_penalty = 1.5}).next(logits, std::vector<int32_t>{0, 0}), 1);
  // A negative logit gets more negative.
  EXPECT_EQ(Sampler({.repetition_penalty = 2}).next(std::vector<float>{-1.0f, -1.5f}, std::vector<int32_t>{0}), 1);
}

TEST(Sampler, TemperatureOneDrawsByTheProbabilities) {
  const auto drawn = shares({.temperature = 1});
  EXPECT_NEAR(drawn.at(1), 0.5, 0.015);
  EXPECT_NEAR(drawn.at(3), 0.25, 0.015);
  EXPECT_NEAR(drawn.at(0), 0.15, 0.015);
  EXPECT_NEAR(drawn.at(2), 0.1, 0.015);
}

TEST(Sampler, TemperatureHalfSquaresThem) {
  // 0.25, 0.0625, 0.0225, 0.01: of 0.345
  EXPECT_NEAR(shares({.temperature = 0.5}).at(1), 0.25 / 0.345, 0.015);
}

TEST(Sampler, TopKKeepsTheKMostLikely) {
  const auto drawn = shares({.temperature = 1, .top_k = 2});
  EXPECT_EQ(drawn.size(), 2u);
  EXPECT_NEAR(drawn.at(1), 2.0 / 3, 0.015);
}

TEST(Sampler, TopPKeepsTheFewestThatReachIt) {
  EXPECT_EQ(shares({.temperature = 1, .top_p = 0.5}).size(), 1u);
  EXPECT_EQ(shares({.temperature = 1, .top_p = 0.51}).size(), 2u);
  EXPECT_EQ(shares({.temperature = 1, .top_p = 0.89}).size(), 3u);
}

TEST(Sampler, MinPKeepsThoseNearTheMostLikely) {
  EXPECT_EQ(shares({.temperature = 1, .min_p = 0.45}).size(), 2u);  // 0.25 is half of 0.5; 0.15 less than 0.45 of it
  EXPECT_EQ(shares({.temperature = 1, .min_p = 1}).size(), 1u);
}

TEST(Sampler, TheSeedDecides) {
  const auto draw = [](uint64_t seed) {
    Sampler sampler({.temperature = 1, .seed = seed});
    std::vector<int32_t> ids;
    for (int i = 0; i < 40; ++i) ids.push_back(sampler.next(kLogits, {}));
    return ids;
  };
  EXPECT_EQ(draw(7), draw(7));
  EXPECT_NE(draw(7), draw(8));
}

}  // namespace
}  // namespace anneal::engine
