#include "datasets/encoding/turn_repairs.h"

#include <gtest/gtest.h>

namespace anneal::datasets {
namespace {

Message message(const std::string& role, const std::string& content) {
  Message made;
  made.role = role;
  made.content = content;
  return made;
}

TEST(TurnRepairs, CaseB01NamesTheFirstTwoTurnsOfOneSpeaker) {
  using Messages = std::vector<Message>;
  EXPECT_EQ(consecutive_turns(
                Messages{message("user", "a"), message("assistant", "b"), message("user", "c"), message("user", "d")}),
            "messages 3 and 4 are both by user");
  EXPECT_EQ(consecutive_turns(Messages{message("user", "a"), message("assistant", "b"), message("assistant", "c")}),
            "messages 2 and 3 are both by assistant");
  EXPECT_EQ(consecutive_turns(Messages{message("tool", "1"), message("tool", "2")}), std::nullopt);
  EXPECT_EQ(consecutive_turns(Messages{}), std::nullopt);
}

TEST(TurnRepairs, CaseB01MergedTurnsHoldAllTexts) {
  std::vector<Message> messages = {message("user", "a"), message("user", ""), message("user", "b"),
                                   message("assistant", "c")};
  Message call = message("assistant", "");
  call.content.reset();
  call.tool_calls = Json::array({Json{{"id", "1"}}});
  call.reasoning = "r";
  messages.push_back(call);
  call.tool_calls = Json::array({Json{{"id", "2"}}});
  messages.push_back(call);
  messages.push_back(message("tool", "x"));
  messages.push_back(message("tool", "y"));
  merge_consecutive_turns(messages);
  ASSERT_EQ(messages.size(), 4u);
  EXPECT_EQ(messages[0].content, "a\n\nb");
  EXPECT_EQ(messages[1].content, "c");
  EXPECT_EQ(messages[1].reasoning, "r\n\nr");
  EXPECT_EQ(messages[1].tool_calls, (Json::array({Json{{"id", "1"}}, Json{{"id", "2"}}})));
  EXPECT_EQ(messages[3].content, "y");
}

TEST(TurnRepairs, AMergedTurnIsLearnedOnlyIfAllOfItIs) {
  for (const auto& [first, second] : std::vector<std::pair<std::optional<bool>, std::optional<bool>>>{
           {false, true}, {true, false}, {std::nullopt, false}, {false, std::nullopt}}) {
    std::vector<Message> messages = {message("assistant", "a"), message("assistant", "b")};
    messages[0].learn = first;
    messages[1].learn = second;
    merge_consecutive_turns(messages);
    EXPECT_EQ(messages[0].learn, false);
  }
}

TEST(TurnRepairs, CaseB03AnAnswerOfBlanksIsEmptyAndACallIsNot) {
  EXPECT_TRUE(is_empty_answer(message("assistant", "  \n")));
  EXPECT_TRUE(is_empty_answer(message("assistant", "")));
  EXPECT_FALSE(is_empty_answer(message("assistant", " a ")));
  EXPECT_FALSE(is_empty_answer(message("user", "")));
  Message call = message("assistant", "");
  call.tool_calls = Json::array({Json::object()});
  EXPECT_FALSE(is_empty_answer(call));
}

}  // namespace
}  // namespace anneal::datasets
