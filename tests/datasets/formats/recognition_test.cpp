#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/datasets/formats/reading.h"
#include "tests/support/shared_data.h"

namespace anneal::datasets::tests {
namespace {

using testing::HasSubstr;

TEST(Recognition, TheReasonNamesContainerAndColumns) {
  const Reading reading = read_text("a.jsonl", R"({"question":"q","answer":"a","text":"t"})");
  const std::string& reason = reading.report.files[0].reason;
  EXPECT_THAT(reason, HasSubstr("JSON Lines"));
  EXPECT_THAT(reason,
              HasSubstr("question_answer: columns \"question\", \"answer\" were taken as a question and its answer"));
  EXPECT_THAT(reason, HasSubstr("also possible: text"));
}

TEST(Recognition, ColumnsAreLookedForInTheFirstRows) {
  // The first row says nothing about what the list holds.
  const Reading reading =
      read_text("a.jsonl", "{\"messages\":[]}\n{\"messages\":[{\"from\":\"human\",\"value\":\"x\"}]}\n");
  EXPECT_EQ(reading.report.format(), "sharegpt");
}

TEST(Recognition, AMappingChoosesColumnsAndFormat) {
  const std::string text = R"({"question":"q","answer":"a"})";
  const ReadOptions exact = mapped({{"prompt", "question"}, {"completion", "answer"}});
  EXPECT_EQ(read_one<PromptCompletion>("a.jsonl", text, exact), (PromptCompletion{"q", "a"}));
  const ReadOptions turned = mapped({{"instruction", "answer"}, {"output", "question"}});
  EXPECT_EQ(read_one<Conversation>("a.jsonl", text, turned).messages[1].content, "q");
  EXPECT_EQ(read_one<Document>("a.jsonl", text, mapped({{"text", "answer"}})).text, "a");
}

TEST(Recognition, AMappingNamesTheKeysOfMessages) {
  const auto row = read_one<Conversation>("a.jsonl", R"({"dialog":[{"speaker":"human","said":"hi"}]})",
                                          mapped({{"messages", "dialog"}, {"role", "speaker"}, {"content", "said"}}));
  ASSERT_EQ(row.messages.size(), 1u);
  EXPECT_EQ(row.messages[0].role, "user");
  EXPECT_EQ(row.messages[0].content, "hi");
}

TEST(Recognition, MappingsAreChecked) {
  const std::string text = R"({"question":"q","answer":"a"})";
  EXPECT_THAT(failure_of("a.jsonl", text, mapped({{"prompt", "questoin"}, {"completion", "answer"}})),
              HasSubstr("has no column \"questoin\", which `columns` names as prompt. Did you mean \"question\"?"));
  EXPECT_THAT(failure_of("a.jsonl", text, mapped({{"promt", "question"}})), HasSubstr("Did you mean \"prompt\"?"));
  EXPECT_THAT(failure_of("a.jsonl", text, mapped({{"prompt", "question"}})), HasSubstr("are in no known format"));
}

TEST(Recognition, UnknownColumnsAreListed) {
  EXPECT_THAT(failure_of("a.jsonl", R"({"foo":1,"bar":2})"),
              HasSubstr("its columns \"foo\", \"bar\" are in no known format. Say what they are for"));
}

TEST(Recognition, RowsThatDoNotFitAreFindings) {
  const Reading reading =
      read_text("a.jsonl", "{\"prompt\":\"a\",\"completion\":\"b\"}\n{\"text\":\"x\"}\n", skipping());
  EXPECT_EQ(reading.rows.size(), 1u);
  ASSERT_EQ(reading.report.findings.count(FindingKind::kBadRow), 1);
  EXPECT_EQ(reading.report.findings.kept()[0].message, "column \"prompt\" is missing or null");
}

TEST(Recognition, FindingsAreCountedBeyondWhatIsKept) {
  Findings findings(2);
  for (int i = 0; i < 5; ++i) findings.add(Finding{{"a", i, i}, FindingKind::kTooLong, "x"});
  findings.add(Finding{{"a", 9, 9}, FindingKind::kBadRow, "y"});
  EXPECT_EQ(findings.count(FindingKind::kTooLong), 5);
  EXPECT_EQ(findings.total(), 6);
  EXPECT_EQ(findings.kept().size(), 3u);
  Findings sum(3);
  sum.add(findings);
  sum.add(findings);
  EXPECT_EQ(sum.count(FindingKind::kTooLong), 10);
  EXPECT_EQ(sum.kept().size(), 5u);
}

struct Known {
  const char* file;
  const char* format;
  int64_t rows;
};

TEST(Recognition, RealDataSets) {
  ANNEAL_NEEDS_SHARED_DATA("datasets");
  const Known known[] = {
      {"alpaca_identity.json", "alpaca", 91},           {"gsm8k_800.jsonl", "question_answer", 800},
      {"gsm8k_eval_100.jsonl", "question_answer", 100}, {"openai_chat_edge_cases.jsonl", "openai", 5},
      {"openai_tool_calls.jsonl", "openai", 103},       {"preference_sharegpt_40.json", "preference", 40},
      {"sharegpt_500.json", "sharegpt", 500},           {"sharegpt_tools_40.json", "sharegpt", 40}};
  for (const Known& one : known) {
    const Reading reading = read_paths({(anneal::tests::shared_data() / "datasets" / one.file).string()}, skipping());
    EXPECT_EQ(reading.report.format(), one.format) << one.file;
    EXPECT_EQ(reading.report.rows, one.rows) << one.file;
    EXPECT_EQ(reading.report.findings.total(), 0) << one.file;
  }
}

}  // namespace
}  // namespace anneal::datasets::tests
