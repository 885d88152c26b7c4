#include "kernels/core/error.h"

#include <gtest/gtest.h>

namespace anneal {
namespace {

TEST(Problem, IsOneSentenceWithPlaceAndRemedy) {
  EXPECT_EQ(to_sentence({"data.jsonl:7", "the answer is empty", "Fill it in."}),
            "data.jsonl:7: the answer is empty. Fill it in.");
  EXPECT_EQ(to_sentence({"", "Disk full", ""}), "Disk full.");
}

TEST(ProblemError, ShowsEveryProblemOnALine) {
  const ProblemError error({{"a", "one", ""}, {"b", "two", "Do."}});
  EXPECT_STREQ(error.what(), "a: one.\nb: two. Do.");
  EXPECT_EQ(error.kind(), ErrorKind::kInput);
}

TEST(Printable, ShowsControlCharactersAndBrokenBytes) {
  EXPECT_EQ(printable("a\x1B[31mb"), "a\\x1B[31mb");
  EXPECT_EQ(printable("caf\xC3\xA9"), "caf\xC3\xA9");
  EXPECT_EQ(printable("x\xFFy\xC3"), "x\\xFFy\\xC3");
  EXPECT_EQ(printable("\xC2\x9B"), "\\xC2\\x9B");
  EXPECT_EQ(printable("\xED\xA0\x80"), "\\xED\\xA0\\x80");
}

TEST(Printable, CutsBetweenCharacters) { EXPECT_EQ(printable("abcdef", 3), "abc…"); }

TEST(NearestName, FindsATypingErrorAndNothingFar) {
  const std::vector<std::string> known{"learning_rate", "lora_rank", "seed"};
  EXPECT_EQ(nearest_name("learnig_rate", known), "learning_rate");
  EXPECT_EQ(nearest_name("lora_rnak", known), "lora_rank");
  EXPECT_EQ(nearest_name("zzzzzzzz", known), "");
}

}  // namespace
}  // namespace anneal
