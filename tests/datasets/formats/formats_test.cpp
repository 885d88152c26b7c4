// How records become rows: one test per format and per habit of writing it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/datasets/formats/reading.h"

namespace anneal::datasets::tests {
namespace {

using testing::HasSubstr;

Message message(const std::string& role, const std::string& content) {
  Message made;
  made.role = role;
  made.content = content;
  return made;
}

using Messages = std::vector<Message>;

TEST(AlpacaFormat, InstructionAndInputAreOneTurn) {
  const auto row = read_one<Conversation>(
      "a.jsonl",
      R"({"instruction":"Add.","input":"1 2","output":"3","system":"Be brief.","history":[["hi","hello"]]})");
  EXPECT_EQ(row.messages,
            (Messages{message("system", "Be brief."), message("user", "hi"), message("assistant", "hello"),
                      message("user", "Add.\n1 2"), message("assistant", "3")}));
  const auto without = read_one<Conversation>("a.jsonl", R"({"instruction":"Add.","input":"","output":""})");
  EXPECT_EQ(without.messages, (Messages{message("user", "Add."), message("assistant", "")}));
}

TEST(AlpacaFormat, NumbersAreTextsAndNullIsNone) {
  const auto row = read_one<Conversation>("a.jsonl", R"({"instruction":"2+3","input":null,"output":5})");
  EXPECT_EQ(row.messages[1].content, "5");
  EXPECT_THAT(
      failure_of("a.jsonl", "{\"instruction\":\"a\",\"output\":\"b\"}\n{\"instruction\":\"a\",\"output\":null}"),
      HasSubstr("a.jsonl:2: column \"output\" is missing or null"));
}

TEST(SharegptFormat, TurnsToolsAndCalls) {
  const auto row = read_one<Conversation>("a.json", R"([{"conversations":[
    {"from":"human","value":"weather?"},
    {"from":"function_call","value":"{\"name\":\"look\",\"arguments\":{\"city\":\"Oslo\"}}"},
    {"from":"observation","value":"rain"},
    {"from":"gpt","value":"It rains."}],
    "system":"You are kind.","tools":"[{\"name\":\"look\",\"parameters\":{}}]"}])");
  ASSERT_EQ(row.messages.size(), 5u);
  EXPECT_EQ(row.messages[0], message("system", "You are kind."));
  EXPECT_EQ(row.messages[2].role, "assistant");
  EXPECT_EQ(row.messages[2].content, std::nullopt);
  EXPECT_EQ(to_text(row.messages[2].tool_calls),
            R"([{"type":"function","function":{"name":"look","arguments":{"city":"Oslo"}}}])");
  EXPECT_EQ(row.messages[3], message("tool", "rain"));
  EXPECT_EQ(to_text(row.tools), R"([{"type":"function","function":{"name":"look","parameters":{}}}])");
}

TEST(SharegptFormat, EmptyToolsAreNone) {
  for (const char* tools : {"\"\"", "\"[]\"", "[]", "null"}) {
    const auto row = read_one<Conversation>(
        "a.jsonl", std::string(R"({"conversation":[{"from":"user","value":"x"}],"tools":)") + tools + "}");
    EXPECT_TRUE(row.tools.is_null()) << tools;
  }
}

TEST(SharegptFormat, AnUnreadableCallIsABadRow) {
  EXPECT_THAT(failure_of("a.jsonl", R"({"conversations":[{"from":"human","value":"x"},{"from":"function_call","value":"look at Oslo"}]
})"),
              HasSubstr("message 2: its tool calls are no list"));
}

TEST(OpenaiFormat, ContentMayBeTextNullOrParts) {
  const auto row = read_one<Conversation>("a.jsonl", R"({"messages":[
    {"role":"developer","content":"d"},
    {"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}],"name":"Kim"},
    {"role":"assistant","content":null,"weight":0,"tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{\"x\": 1}"}}]},
    {"role":"tool","content":"7","tool_call_id":"c1"},
    {"role":"assistant","content":"done","weight":1,"reasoning_content":"hm","mood":"calm"}],
    "tools":[{"type":"function","function":{"name":"f"}}],"parallel_tool_calls":false})");
  ASSERT_EQ(row.messages.size(), 5u);
  EXPECT_EQ(row.messages[0].role, "developer");
  EXPECT_EQ(row.messages[1].content, "ab");
  EXPECT_EQ(row.messages[1].name, "Kim");
  EXPECT_EQ(row.messages[2].content, std::nullopt);
  EXPECT_EQ(row.messages[2].learn, false);
  EXPECT_EQ(to_text(row.messages[2].tool_calls),
            R"([{"id":"c1","type":"function","function":{"name":"f","arguments":{"x":1}}}])");
  EXPECT_EQ(row.messages[3].tool_call_id, "c1");
  EXPECT_EQ(row.messages[4].learn, true);
  EXPECT_EQ(row.messages[4].reasoning, "hm");
  EXPECT_EQ(to_text(to_json(row.messages[4])),
            R"({"role":"assistant","content":"done","reasoning_content":"hm","mood":"calm"})");
  EXPECT_EQ(row.tools.size(), 1u);
}

TEST(OpenaiFormat, OldFunctionCallsAndVariables) {
  const auto row = read_one<Conversation>(
      "a.jsonl",
      R"({"messages":[{"role":"assistant","content":null,"function_call":{"name":"f","arguments":"{}"}}],"chat_template_kwargs":{"enable_thinking":false},"documents":[{"title":"t"}]})");
  EXPECT_EQ(to_text(row.messages[0].tool_calls), R"([{"type":"function","function":{"name":"f","arguments":{}}}])");
  EXPECT_EQ(to_text(row.variables), R"({"documents":[{"title":"t"}],"enable_thinking":false})");
}

TEST(OpenaiFormat, BadMessagesAreNamedByNumber) {
  const auto with = [](const char* item) {
    return std::string(R"({"messages":[{"role":"user","content":"x"},)") + item + "]}";
  };
  EXPECT_THAT(failure_of("a.jsonl", with(R"({"content":"x"})")), HasSubstr("message 2: its \"role\" is missing"));
  EXPECT_THAT(failure_of("a.jsonl", with(R"({"role":"user"})")), HasSubstr("message 2: its \"content\" is missing"));
  EXPECT_THAT(failure_of("a.jsonl", with(R"({"role":"user","content":[{"type":"image_url","image_url":{}}]})")),
              HasSubstr("message 2: its content has a part of type \"image_url\", and only text is read"));
  EXPECT_THAT(failure_of("a.jsonl", with(R"({"role":"assistant","content":"x","weight":0.5})")),
              HasSubstr("message 2: its weight is 0.5, expected 0 or 1"));
  EXPECT_THAT(failure_of("a.jsonl", with("7")), HasSubstr("message 2: it is no object"));
}

TEST(OpenaiFormat, CaseB02NoMessagesAreStillARow) {
  const Reading reading =
      read_text("a.jsonl", "{\"messages\":[]}\n{\"messages\":[{\"role\":\"system\",\"content\":\"x\"}]}\n");
  EXPECT_EQ(reading.rows.size(), 2u);
  EXPECT_EQ(reading.report.format(), "openai");
}

TEST(PromptCompletionFormat, TextsStayAsTheyAre) {
  EXPECT_EQ(read_one<PromptCompletion>("a.jsonl", R"({"prompt":"[{\"role\":\"user\"}] a ","completion":" b\n"})"),
            (PromptCompletion{"[{\"role\":\"user\"}] a ", " b\n"}));
}

TEST(PromptCompletionFormat, MessagesAreAConversationWhosePromptIsNotLearned) {
  const auto row = read_one<Conversation>(
      "a.jsonl", R"({"prompt":[{"role":"user","content":"q"}],"completion":[{"role":"assistant","content":"a"}]})");
  ASSERT_EQ(row.messages.size(), 2u);
  EXPECT_EQ(row.messages[0].learn, false);
  EXPECT_EQ(row.messages[1].learn, std::nullopt);
}

TEST(QuestionAnswerFormat, OneTurnEach) {
  const Messages expected = {message("user", "q"), message("assistant", "a")};
  for (const char* text : {R"({"question":"q","answer":"a"})", R"({"Question":"q","Answer":"a"})",
                           R"({"prompt":"q","response":"a"})", R"({"input":"q","output":"a"})"}) {
    EXPECT_EQ(read_one<Conversation>("a.jsonl", text).messages, expected) << text;
  }
}

TEST(PreferenceFormat, TextsAndMessages) {
  const auto texts = read_one<Preference>("a.jsonl", R"({"prompt":"p","chosen":"good","rejected":"bad"})");
  EXPECT_EQ(std::get<std::string>(texts.prompt), "p");
  EXPECT_EQ(std::get<std::string>(texts.chosen), "good");
  const auto mixed = read_one<Preference>(
      "a.jsonl", R"({"prompt":"p","chosen":[{"role":"assistant","content":"good"}],"rejected":"bad"})");
  EXPECT_EQ(std::get<Messages>(mixed.prompt), (Messages{message("user", "p")}));
  EXPECT_EQ(std::get<Messages>(mixed.chosen), (Messages{message("assistant", "good")}));
  EXPECT_EQ(std::get<Messages>(mixed.rejected), (Messages{message("assistant", "bad")}));
}

TEST(PreferenceFormat, ThePromptMayBeSharedByTheAnswers) {
  const auto row = read_one<Preference>(
      "a.jsonl",
      R"({"prompt":"q","chosen":[{"role":"user","content":"q"},{"role":"assistant","content":"good"}],"rejected":[{"role":"user","content":"q"},{"role":"assistant","content":"bad"}]})");
  EXPECT_EQ(std::get<Messages>(row.prompt), (Messages{message("user", "q")}));
  EXPECT_EQ(std::get<Messages>(row.chosen), (Messages{message("assistant", "good")}));
  const auto texts = read_one<Preference>(
      "a.jsonl", R"({"chosen":"Human: hi there\nBot: yes","rejected":"Human: hi there\nBot: yellow"})");
  EXPECT_EQ(std::get<std::string>(texts.prompt), "Human: hi there\nBot:");
  EXPECT_EQ(std::get<std::string>(texts.chosen), " yes");
  EXPECT_EQ(std::get<std::string>(texts.rejected), " yellow");
}

TEST(PreferenceFormat, ShareGptAndInstructionForms) {
  const auto turns = read_one<Preference>(
      "a.json",
      R"([{"conversations":[{"from":"human","value":"q"}],"chosen":{"from":"gpt","value":"good"},"rejected":{"from":"gpt","value":"bad"}}])");
  EXPECT_EQ(std::get<Messages>(turns.prompt), (Messages{message("user", "q")}));
  EXPECT_EQ(std::get<Messages>(turns.rejected), (Messages{message("assistant", "bad")}));
  const auto instruction =
      read_one<Preference>("a.jsonl", R"({"instruction":"i","input":"j","chosen":"good","rejected":"bad"})");
  EXPECT_EQ(std::get<Messages>(instruction.prompt), (Messages{message("user", "i\nj")}));
}

TEST(PreferenceFormat, OpenaiForm) {
  const auto row = read_one<Preference>(
      "a.jsonl",
      R"({"input":{"messages":[{"role":"user","content":"q"}],"tools":[{"type":"function","function":{"name":"f"}}],"parallel_tool_calls":true},"preferred_output":[{"role":"assistant","content":"good"}],"non_preferred_output":[{"role":"assistant","content":"bad"}]})");
  EXPECT_EQ(std::get<Messages>(row.prompt), (Messages{message("user", "q")}));
  EXPECT_EQ(std::get<Messages>(row.chosen), (Messages{message("assistant", "good")}));
  EXPECT_EQ(row.tools.size(), 1u);
}

TEST(KtoFormat, TextsAndConversations) {
  const auto texts = read_one<Kto>("a.jsonl", R"({"prompt":"p","completion":"c","label":false})");
  EXPECT_EQ(std::get<std::string>(texts.completion), "c");
  EXPECT_FALSE(texts.is_desirable);
  const auto turns = read_one<Kto>(
      "a.jsonl", R"({"messages":[{"role":"user","content":"q"},{"role":"assistant","content":"a"}],"label":true})");
  EXPECT_EQ(std::get<Messages>(turns.prompt), (Messages{message("user", "q")}));
  EXPECT_EQ(std::get<Messages>(turns.completion), (Messages{message("assistant", "a")}));
  EXPECT_TRUE(read_one<Kto>("a.csv", "prompt,completion,label\np,c,True\n").is_desirable);
}

TEST(ClassificationFormat, OneLabelOrSeveral) {
  EXPECT_EQ(read_one<Classification>("a.jsonl", R"({"text":"t","label":3})"), (Classification{"t", {"3"}}));
  EXPECT_EQ(read_one<Classification>("a.jsonl", R"({"text":"t","labels":["a","b"]})"),
            (Classification{"t", {"a", "b"}}));
}

TEST(TokensFormat, LabelsAreAlignedWithTheIds) {
  const auto row = read_one<TokenRow>("a.jsonl", R"({"input_ids":[1,5,6],"labels":[-100,-100,6]})");
  EXPECT_EQ(row, (TokenRow{{1, 5, 6}, {kNoLabel, kNoLabel, 6}}));
  EXPECT_EQ(read_one<TokenRow>("a.jsonl", R"({"input_ids":[1,5,6]})"), (TokenRow{{1, 5, 6}, {kNoLabel, 5, 6}}));
  EXPECT_EQ(read_one<TokenRow>("a.jsonl", R"({"input_ids":[0,1,5,0],"attention_mask":[0,1,1,0]})"),
            (TokenRow{{1, 5}, {kNoLabel, 5}}));
}

TEST(TokensFormat, WhatIsNoTokenIsABadRow) {
  const std::string good = "{\"input_ids\":[1]}\n";
  EXPECT_THAT(failure_of("a.jsonl", good + R"({"input_ids":[1,-2]})"),
              HasSubstr("\"input_ids\" holds -2, which is no token id"));
  EXPECT_THAT(failure_of("a.jsonl", good + R"({"input_ids":[99999999999]})"), HasSubstr("which is no token id"));
  EXPECT_THAT(failure_of("a.jsonl", good + R"({"input_ids":[18446744073709551615]})"),
              HasSubstr("which is no token id"));
  EXPECT_THAT(failure_of("a.jsonl", R"({"input_ids":[1,2],"labels":[1]})"),
              HasSubstr("\"labels\" has 1 entries and \"input_ids\" 2"));
}

}  // namespace
}  // namespace anneal::datasets::tests
