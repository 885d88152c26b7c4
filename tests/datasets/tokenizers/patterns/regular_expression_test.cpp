#include "datasets/tokenizers/patterns/regular_expression.h"

#include <gtest/gtest.h>

#include "datasets/tokenizers/patterns/oniguruma_pattern.h"

namespace anneal::datasets {
namespace {

std::vector<std::string> matches(const std::string& pattern, const std::string& text) {
  std::vector<std::string> found;
  RegularExpression(pattern, "test").for_each_match(text, [&](std::size_t begin, std::size_t end) {
    found.push_back(text.substr(begin, end - begin));
  });
  return found;
}
using Texts = std::vector<std::string>;

TEST(RegularExpression, LooksAheadAndBehind) {
  EXPECT_EQ(matches(R"(\s+(?!\S)|\s+)", "a   b "), (Texts{"  ", " ", " "}));
  EXPECT_EQ(matches(R"((?<=a)b|(?<!a)c)", "abcac"), (Texts{"b", "c"}));
}

TEST(RegularExpression, AnEmptyMatchNeverTouchesTheLast) {
  EXPECT_EQ(matches("x*", "axb"), (Texts{"", "x", ""}));
  EXPECT_EQ(matches("", "ab"), (Texts{"", "", ""}));
}

TEST(RegularExpression, KnowsLettersNewerThanTheLibrary) {
  const std::string ideograph = "\xF0\xB1\x8D\x90";  // U+31350, of Unicode 15
  EXPECT_EQ(matches(R"(\p{L})", ideograph), (Texts{ideograph}));
  EXPECT_EQ(matches(R"([^\p{L}])", ideograph), (Texts{}));
  EXPECT_EQ(matches(R"(\p{Cn})", ideograph), (Texts{}));
}

TEST(RegularExpression, ABlankIsWhatUnicodeCallsOne) {
  EXPECT_EQ(matches(R"(\s)", "\xC2\xA0").size(), 1u);
  EXPECT_EQ(matches(R"(\s)", "\xE1\xA0\x8E").size(), 0u);  // U+180E is none any more
}

TEST(OnigurumaPattern, OptionsHaveOnigurumasMeaning) {
  EXPECT_EQ(matches("(?m:a.)", "a\n"), (Texts{"a\n"}));
  EXPECT_EQ(matches("a.", "a\n"), (Texts{}));
  // An option in the middle reaches over the alternatives behind it.
  EXPECT_EQ(matches("a(?i)b|c", "aB aC"), (Texts{"aB", "aC"}));
  EXPECT_EQ(matches("^b", "a\nb"), (Texts{"b"}));
}

TEST(OnigurumaPattern, ClassesMayBeNestedAndIntersected) {
  EXPECT_EQ(matches("[a-z&&[^aeiou]]+", "hello"), (Texts{"h", "ll"}));
  EXPECT_EQ(matches("[ab[0-9]]+", "a1c2"), (Texts{"a1", "2"}));
  EXPECT_EQ(matches(R"([^\S\n])", " \nx"), (Texts{" "}));
  EXPECT_EQ(matches(R"(\h+)", "xAf0z"), (Texts{"Af0"}));
}

TEST(OnigurumaPattern, IntervalsHaveOnigurumasMeaning) {
  EXPECT_EQ(matches("(?:a{2})+", "aaaaa"), (Texts{"aaaa"}));
  EXPECT_EQ(matches("a{2}+", "aaaaa"), (Texts{"aaaa"}));
  EXPECT_EQ(matches("a{,2}b", "aaab"), (Texts{"aab"}));
  EXPECT_EQ(matches("a{x}", "a{x}"), (Texts{"a{x}"}));
}

TEST(OnigurumaPattern, BytesSpellCharacters) { EXPECT_EQ(matches(R"(\xC3\xA9|\u00e8|\x{EA})", "éèê").size(), 3u); }

TEST(RegularExpression, AMegabyteOfBlanksIsDoneSoon) {
  const std::string blanks(1 << 20, ' ');
  EXPECT_EQ(matches(R"(\p{L}+|\s*[\r\n]+|\s+(?!\S)|\s+)", blanks + "x").size(), 3u);
}

}  // namespace
}  // namespace anneal::datasets
