#include "datasets/encoding/continuation.h"

#include <gtest/gtest.h>

#include "tests/datasets/encoding/toy_tokenizer.h"

namespace anneal::datasets::tests {
namespace {

TEST(Continuation, TextsJoinExactly) {
  for (const bool blank_in_front : {false, true}) {
    const ToyTokenizer tokenizer({.glues_blanks = true, .blank_in_front = blank_in_front});
    const ContinuationEncoder encoder(tokenizer);
    for (const std::string first : {"a", "a ", "Q: x\n", " "}) {
      for (const std::string second : {"b", " b", "\n\nb", "0", "", "a0\n."}) {
        const std::vector<Token> ids = joined({encoder.encode_start(first), encoder.encode_rest(second)});
        EXPECT_EQ(tokenizer.decode(ids), first + second) << blank_in_front;
      }
    }
  }
}

TEST(Continuation, NoBlankIsPutIntoTheMiddle) {
  const ToyTokenizer tokenizer({.blank_in_front = true});
  const ContinuationEncoder encoder(tokenizer);
  EXPECT_EQ(encoder.encode_start("b"), (std::vector<Token>{glued('b')}));
  EXPECT_EQ(encoder.encode_rest("b"), bytes("b"));
}

TEST(Continuation, ControlTokensThatAreWrittenOutStayText) {
  const ToyTokenizer tokenizer;
  const ContinuationEncoder encoder(tokenizer);
  EXPECT_EQ(encoder.encode_start("</s>"), bytes("</s>"));
  EXPECT_EQ(encoder.encode_rest("x<|im_end|>"), bytes("x<|im_end|>"));
}

}  // namespace
}  // namespace anneal::datasets::tests
