#include "datasets/encoding/length_limit.h"

#include <gtest/gtest.h>

#include "tests/datasets/encoding/toy_tokenizer.h"

namespace anneal::datasets::tests {
namespace {

// Tokens 0, 1, 2, …; `learned` says which have a label.
EncodedRow row_of(const std::vector<std::pair<int, bool>>& stretches) {
  EncodedRow row;
  for (const auto& [count, is_learned] : stretches) {
    for (int i = 0; i < count; ++i) {
      row.ids.push_back(static_cast<Token>(row.ids.size()));
      row.labels.push_back(is_learned ? row.ids.back() : kNoLabel);
    }
  }
  return row;
}

std::vector<Token> range(Token begin, Token end) {
  std::vector<Token> ids;
  for (Token id = begin; id < end; ++id) ids.push_back(id);
  return ids;
}

TEST(LengthLimit, CaseC03SkipLeavesOut) {
  EXPECT_EQ(fit_into(row_of({{40, false}, {5, true}}), 32, TooLong::kSkip, {}), std::nullopt);
  const EncodedRow fits = row_of({{27, false}, {5, true}});
  EXPECT_EQ(fit_into(fits, 32, TooLong::kSkip, {}), fits);
}

TEST(LengthLimit, CaseC03TrimmingKeepsTheWholeAnswer) {
  const auto trimmed = fit_into(row_of({{40, false}, {5, true}}), 32, TooLong::kTrimPrompt, {});
  ASSERT_TRUE(trimmed);
  EXPECT_EQ(trimmed->ids, range(13, 45));
  EXPECT_EQ(trimmed->labels, joined({none(27), range(40, 45)}));
  EXPECT_EQ(trimmed->cut, Cut::kPromptTrimmed);
  // An answer that is too long by itself cannot be helped so.
  EXPECT_EQ(fit_into(row_of({{10, false}, {40, true}}), 32, TooLong::kTrimPrompt, {}), std::nullopt);
}

TEST(LengthLimit, CaseC03TrimmingKeepsTheBeginToken) {
  const auto trimmed = fit_into(row_of({{40, false}, {5, true}}), 32, TooLong::kTrimPrompt, Token{0});
  ASSERT_TRUE(trimmed);
  EXPECT_EQ(trimmed->ids, joined({{0}, range(14, 45)}));
  EXPECT_EQ(trimmed->size(), 32);
}

TEST(LengthLimit, TrimmingLeavesOneTokenBeforeTheAnswer) {
  EXPECT_EQ(fit_into(row_of({{4, false}, {5, true}}), 5, TooLong::kTrimPrompt, {}), std::nullopt);
  const auto trimmed = fit_into(row_of({{4, false}, {5, true}}), 6, TooLong::kTrimPrompt, {});
  ASSERT_TRUE(trimmed);
  EXPECT_EQ(trimmed->ids, range(3, 9));
  EXPECT_EQ(trimmed->label_count(), 5);
}

TEST(LengthLimit, AnEarlierAnswerWithoutItsBeginningIsContext) {
  // 2 prompt, 4 answer, 2 prompt, 3 answer; 7 are kept, from the middle of the first answer on.
  const auto trimmed = fit_into(row_of({{2, false}, {4, true}, {2, false}, {3, true}}), 7, TooLong::kTrimPrompt, {});
  ASSERT_TRUE(trimmed);
  EXPECT_EQ(trimmed->ids, range(4, 11));
  EXPECT_EQ(trimmed->labels, joined({none(4), range(8, 11)}));
  // Cut exactly before an earlier answer: its first token has nothing before it.
  const auto before = fit_into(row_of({{2, false}, {4, true}, {2, false}, {3, true}}), 9, TooLong::kTrimPrompt, {});
  ASSERT_TRUE(before);
  EXPECT_EQ(before->labels, joined({none(1), range(3, 6), none(2), range(8, 11)}));
}

TEST(LengthLimit, CaseC03CuttingAddsNoFalseEnd) {
  const auto cut = fit_into(row_of({{10, false}, {40, true}}), 32, TooLong::kCut, {});
  ASSERT_TRUE(cut);
  EXPECT_EQ(cut->ids, range(0, 32));
  EXPECT_EQ(cut->labels, joined({none(10), range(10, 32)}));
  EXPECT_EQ(cut->cut, Cut::kAnswerCut);
  // The prompt fills the limit: nothing would be learned.
  EXPECT_EQ(fit_into(row_of({{40, false}, {5, true}}), 32, TooLong::kCut, {}), std::nullopt);
}

TEST(LengthLimit, CuttingBehindTheAnswerIsNoCutAnswer) {
  const auto cut = fit_into(row_of({{3, false}, {4, true}, {5, false}}), 8, TooLong::kCut, {});
  ASSERT_TRUE(cut);
  EXPECT_EQ(cut->cut, Cut::kNone);
  EXPECT_EQ(cut->label_count(), 4);
}

TEST(LengthLimit, SplittingLosesAndRepeatsNothing) {
  for (const int64_t limit : {2, 3, 4, 7, 10, 99, 100, 101, 200}) {
    const std::vector<EncodedRow> pieces = split_into(row_of({{1, false}, {100, true}}), limit);
    std::vector<Token> ids;
    for (const EncodedRow& piece : pieces) {
      EXPECT_LE(piece.size(), limit);
      EXPECT_EQ(piece.ids.size(), piece.labels.size());
      EXPECT_EQ(piece.labels.front(), kNoLabel);
      EXPECT_EQ(piece.label_count(), piece.size() - 1);
      EXPECT_GE(piece.size(), limit > 2 ? 2 : 1) << limit;
      EXPECT_EQ(piece.cut, limit >= 101 ? Cut::kNone : Cut::kSplit);
      ids.insert(ids.end(), piece.ids.begin(), piece.ids.end());
    }
    EXPECT_EQ(ids, range(0, 101)) << limit;
  }
}

}  // namespace
}  // namespace anneal::datasets::tests
