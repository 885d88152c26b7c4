#include "datasets/encoding/think_markup.h"

#include <gtest/gtest.h>

namespace anneal::datasets::tests {
namespace {

Message answer(const std::string& content) {
  Message message;
  message.role = "assistant";
  message.content = content;
  return message;
}

TEST(ThinkMarkup, CaseB09AClosingTagAlone) {
  Message message = answer("reason\n</think>\n\nanswer");
  EXPECT_TRUE(has_think_markup(message));
  ASSERT_TRUE(move_think_markup(message));
  EXPECT_EQ(message.reasoning, "reason");
  EXPECT_EQ(message.content, "answer");
  EXPECT_FALSE(has_think_markup(message));
}

TEST(ThinkMarkup, CaseB09AWholeBlock) {
  Message message = answer("<think>\nreason\n</think>\nanswer\n");
  ASSERT_TRUE(move_think_markup(message));
  EXPECT_EQ(message.reasoning, "reason");
  EXPECT_EQ(message.content, "answer\n");
}

TEST(ThinkMarkup, AnEmptyBlockIsEmptyReasoning) {
  Message message = answer("<think>\n\n</think>\n\nanswer");
  ASSERT_TRUE(move_think_markup(message));
  EXPECT_EQ(message.reasoning, "");
  EXPECT_EQ(message.content, "answer");
}

TEST(ThinkMarkup, WhatIsNotClearStays) {
  for (const char* content : {"<think>no end", "said first <think>reason</think>answer", "plain"}) {
    Message message = answer(content);
    EXPECT_FALSE(move_think_markup(message)) << content;
    EXPECT_EQ(message.content, content);
  }
  Message with_reasoning = answer("a</think>b");
  with_reasoning.reasoning = "there already";
  EXPECT_FALSE(move_think_markup(with_reasoning));
  Message user = answer("a</think>b");
  user.role = "user";
  EXPECT_FALSE(has_think_markup(user));
  EXPECT_FALSE(move_think_markup(user));
}

}  // namespace
}  // namespace anneal::datasets::tests
