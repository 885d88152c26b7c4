#include "datasets/encoding/learned_tokens.h"

#include <gtest/gtest.h>

#include "tests/datasets/encoding/toy_tokenizer.h"

namespace anneal::datasets::tests {
namespace {

std::vector<Token> labels(std::string_view text, const std::vector<Span>& learn, ToyOptions options = {}) {
  return labels_of(ToyTokenizer(options).encode(text, {}), text, learn);
}

TEST(LearnedTokens, ExactlyTheSpans) {
  EXPECT_EQ(labels("abcdef", {{1, 3}, {5, 6}}), joined({none(1), bytes("bc"), none(2), bytes("f")}));
  EXPECT_EQ(labels("abc", {}), none(3));
}

TEST(LearnedTokens, TheFirstTokenHasNoLabel) { EXPECT_EQ(labels("abc", {{0, 3}}), joined({none(1), bytes("bc")})); }

TEST(LearnedTokens, CaseB05ABlankOfTheTemplateDoesNotHideTheFirstWord) {
  // "bot: hi": the answer is "hi", its first token is the blank with the h.
  EXPECT_EQ(labels("bot: hi", {{5, 7}}, {.glues_blanks = true}), joined({none(4), {glued('h')}, bytes("i")}));
}

TEST(LearnedTokens, ABlankAtTheEndOfAnAnswerPullsNothingIn) {
  // "a hi Bot": the answer is "hi ", and the blank is glued to the template's B.
  EXPECT_EQ(labels("a hi Bot", {{2, 5}}, {.glues_blanks = true}), joined({none(1), {glued('h')}, bytes("i"), none(3)}));
}

TEST(LearnedTokens, TokensOfBlanksCountWhereTheyBegin) {
  EXPECT_EQ(labels("a\nb\n", {{2, 4}}), joined({none(2), bytes("b\n")}));
}

TEST(LearnedTokens, AddedTokensAreNotLearned) {
  Encoding encoding = ToyTokenizer().encode("ab", {});
  encoding.ids.insert(encoding.ids.begin(), kBegin);
  encoding.offsets.insert(encoding.offsets.begin(), Span{});
  encoding.ids.push_back(kEnd);
  encoding.offsets.push_back(Span{});
  EXPECT_EQ(labels_of(encoding, "ab", std::vector<Span>{{0, 2}}), joined({none(1), bytes("ab"), none(1)}));
}

}  // namespace
}  // namespace anneal::datasets::tests
