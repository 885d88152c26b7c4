#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/datasets/formats/reading.h"
#include "tests/support/shared_data.h"

namespace anneal::datasets::tests {
namespace {

using testing::HasSubstr;

TEST(CsvFormat, CaseA02CarriageReturnsNeverEndAName) {
  const auto row = read_one<Conversation>("a.csv", "instruction,output\r\na,b\r\n");
  ASSERT_EQ(row.messages.size(), 2u);
  EXPECT_EQ(row.messages[0].content, "a");
  EXPECT_EQ(row.messages[1].content, "b");
}

TEST(CsvFormat, CaseA02CarriageReturnsInsideQuotesStay) {
  const auto row = read_one<Conversation>("a.csv", "instruction,output\r\na,\"x\r\ny\"\r\n");
  EXPECT_EQ(row.messages[1].content, "x\r\ny");
}

TEST(CsvFormat, CaseA02LineEndsAreAlike) {
  const std::vector<Row> expected = read_text("a.csv", "text\na\nb\n").rows;
  ASSERT_EQ(expected.size(), 2u);
  EXPECT_EQ(read_text("a.csv", "text\r\na\r\nb\r\n").rows, expected);
  EXPECT_EQ(read_text("a.csv", "text\na\nb").rows, expected);
  EXPECT_EQ(read_text("a.csv", "\xEF\xBB\xBFtext\na\n\n\nb").rows.size(), 2u);
  EXPECT_EQ(contents_of(read_text("a.csv", "text\ra\rb\r").rows), contents_of(expected));
}

TEST(CsvFormat, CaseA04EmptyAndNotAvailableAreTexts) {
  const Reading reading = read_text("a.csv", "prompt,completion\na,\"\"\nb,\nc,NA\nd,null\n");
  ASSERT_EQ(reading.rows.size(), 4u);
  EXPECT_EQ(std::get<PromptCompletion>(reading.rows[0].content), (PromptCompletion{"a", ""}));
  EXPECT_EQ(std::get<PromptCompletion>(reading.rows[1].content), (PromptCompletion{"b", ""}));
  EXPECT_EQ(std::get<PromptCompletion>(reading.rows[2].content), (PromptCompletion{"c", "NA"}));
  EXPECT_EQ(std::get<PromptCompletion>(reading.rows[3].content), (PromptCompletion{"d", "null"}));
}

TEST(CsvFormat, CaseA04RawTextKeepsEmptyFields) {
  const Reading reading = read_text("a.csv", "id,text\n1,\"\"\n2,\n3,NA\n");
  ASSERT_EQ(reading.rows.size(), 3u);
  EXPECT_EQ(std::get<Document>(reading.rows[2].content).text, "NA");
  // In a table of one column an empty line is no row, and a quoted nothing is one.
  EXPECT_EQ(read_text("a.csv", "text\n\"\"\n\nx\n").rows.size(), 2u);
}

TEST(CsvFormat, QuotesByTheRules) {
  const Reading reading = read_text("a.csv", "prompt,completion\n\"say \"\"hi\"\", please\",\"a\nb\"\nx\"y,z\n");
  ASSERT_EQ(reading.rows.size(), 2u);
  EXPECT_EQ(std::get<PromptCompletion>(reading.rows[0].content), (PromptCompletion{"say \"hi\", please", "a\nb"}));
  EXPECT_EQ(std::get<PromptCompletion>(reading.rows[1].content), (PromptCompletion{"x\"y", "z"}));
  EXPECT_EQ(reading.rows[1].source.line, 4);
}

TEST(CsvFormat, BadRecordsAreNamedAndTheRestIsRead) {
  const std::string text = "prompt,completion\na,b\n\"x\"y,b\nc\nd,e,f\ng,h\n";
  const Reading reading = read_text("a.csv", text, skipping());
  EXPECT_EQ(reading.rows.size(), 2u);
  const auto& findings = reading.report.findings.kept();
  ASSERT_EQ(findings.size(), 3u);
  EXPECT_EQ(findings[0].source.line, 3);
  EXPECT_EQ(findings[0].column, 4);
  EXPECT_EQ(findings[0].message, "there is text between the closing quote and the next delimiter");
  EXPECT_EQ(findings[1].message, "has 1 fields where the first line names 2 columns");
  EXPECT_EQ(findings[2].message, "has 3 fields where the first line names 2 columns");
  EXPECT_EQ(findings[2].source.line, 5);
}

TEST(CsvFormat, AnOpenQuoteNamesItsLine) {
  EXPECT_THAT(failure_of("a.csv", "prompt,completion\na,b\n\"a\nb\",\"c\nd\n"),
              HasSubstr("a.csv:4: a quote is opened here and never closed"));
}

TEST(CsvFormat, ARecordOverTheLimitIsPassedOver) {
  ReadOptions options = skipping();
  options.limits.record_bytes = 50;
  const Reading reading = read_text("a.csv", "text,n\na,1\n" + std::string(80'000, 'x') + ",2\nb,3\n", options);
  EXPECT_EQ(reading.rows.size(), 2u);
  EXPECT_EQ(reading.report.findings.count(FindingKind::kBadLine), 1);
}

TEST(CsvFormat, DelimiterIsFoundInTheFirstLine) {
  const PromptCompletion expected = {"a,b", "c"};
  EXPECT_EQ(read_one<PromptCompletion>("a.csv", "prompt;completion\na,b;c\n"), expected);
  EXPECT_EQ(read_one<PromptCompletion>("a.tsv", "prompt\tcompletion\na,b\tc\n"), expected);
  EXPECT_EQ(read_one<PromptCompletion>("a.csv", "prompt\tcompletion\na,b\tc\n"), expected);
  EXPECT_EQ(read_one<PromptCompletion>("a.csv", "\"prompt\", completion\n\"a,b\",c\n"), expected);
}

TEST(CsvFormat, ColumnNamesAreChecked) {
  EXPECT_THAT(failure_of("a.csv", "text,text\na,b\n"), HasSubstr("a.csv:1: column \"text\" stands twice"));
  EXPECT_THAT(failure_of("a.csv", "text\n"), HasSubstr("holds no rows"));
}

TEST(CsvFormat, TextThatIsNotUtf8IsABadRow) {
  EXPECT_THAT(failure_of("a.csv", "text,n\nok,1\ncaf\xE9,2\n"), HasSubstr("a.csv:3: column \"text\" is not UTF-8"));
}

TEST(CsvFormat, FieldsMayHoldLists) {
  const auto row =
      read_one<Conversation>("a.csv", "messages\n\"[{\"\"role\"\":\"\"user\"\",\"\"content\"\":\"\"q\"\"}]\"\n");
  ASSERT_EQ(row.messages.size(), 1u);
  EXPECT_EQ(row.messages[0].content, "q");
}

TEST(CsvFormat, Banking77) {
  ANNEAL_NEEDS_SHARED_DATA("datasets/banking77_2000.csv");
  const Reading reading = read_paths({(anneal::tests::shared_data() / "datasets/banking77_2000.csv").string()});
  EXPECT_EQ(reading.rows.size(), 2000u);
  EXPECT_EQ(reading.report.format(), "classification");
  const auto& row = std::get<Classification>(reading.rows[4].content);
  EXPECT_EQ(row.text, "Can I add other people to my account, so they can top up?");
  EXPECT_EQ(row.labels, (std::vector<std::string>{"topping_up_by_card"}));
}

}  // namespace
}  // namespace anneal::datasets::tests
