#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/datasets/formats/reading.h"

namespace anneal::datasets::tests {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr std::string_view kRow = "{\"prompt\":\"a\",\"completion\":\"b\"}\n";

std::string rows(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += kRow;
  return text;
}

TEST(JsonLines, CaseA01ByteOrderMarkIsDropped) {
  const Reading plain = read_text("a.jsonl", rows(3));
  const Reading marked = read_text("a.jsonl", "\xEF\xBB\xBF" + rows(3));
  ASSERT_EQ(plain.rows.size(), 3u);
  EXPECT_EQ(marked.rows, plain.rows);
}

TEST(JsonLines, CaseA01ByteOrderMarkElsewhereIsData) {
  const auto row = read_one<PromptCompletion>("a.jsonl", "{\"prompt\":\"\xEF\xBB\xBF\",\"completion\":\"b\"}");
  EXPECT_EQ(row.prompt, "\xEF\xBB\xBF");
  EXPECT_THAT(failure_of("a.jsonl", std::string(kRow) + "\xEF\xBB\xBF" + std::string(kRow)), HasSubstr(".jsonl:2:1: "));
}

TEST(JsonLines, CaseA01Utf16IsNamed) {
  using namespace std::string_literals;
  EXPECT_THAT(failure_of("a.jsonl", "\xFF\xFE{\0\"\0"s), HasSubstr("UTF-16 (little-endian). Save it as UTF-8."));
  EXPECT_THAT(failure_of("a.jsonl", "\xFE\xFF\0{\0\""s), HasSubstr("UTF-16 (big-endian). Save it as UTF-8."));
  EXPECT_THAT(failure_of("a.jsonl", "{\0\"\0a\0\"\0"s), HasSubstr("UTF-16 (little-endian). Save it as UTF-8."));
  EXPECT_THAT(failure_of("a.csv", "\xFF\xFE\0\0t\0\0\0"s), HasSubstr("UTF-32 (little-endian). Save it as UTF-8."));
}

TEST(JsonLines, CaseA02LineEndsAreAlike) {
  const Reading expected = read_text("a.jsonl", rows(2));
  EXPECT_EQ(
      read_text("a.jsonl", "{\"prompt\":\"a\",\"completion\":\"b\"}\r\n{\"prompt\":\"a\",\"completion\":\"b\"}\r\n")
          .rows,
      expected.rows);
  EXPECT_EQ(read_text("a.jsonl", rows(2).substr(0, rows(2).size() - 1)).rows, expected.rows);
}

// Line 3 is broken, line 4 holds blanks, the last line has no end.
const std::string kCaseA05 = rows(2) + "{\"prompt\":\"a\",}\n" + "   \n" + rows(2).substr(0, rows(2).size() - 1);

TEST(JsonLines, CaseA05BadLineStopsWithItsPlace) {
  const std::string sentence = failure_of("train.jsonl", kCaseA05);
  EXPECT_THAT(sentence, HasSubstr("/train.jsonl:3:15: "));
  EXPECT_THAT(sentence, HasSubstr("Correct it, or choose to skip bad rows (bad_rows=skip)."));
}

TEST(JsonLines, CaseA05BadLineIsSkippedAndListed) {
  const Reading reading = read_text("train.jsonl", kCaseA05, skipping());
  EXPECT_EQ(reading.rows.size(), 4u);
  EXPECT_EQ(reading.report.rows, 4);
  ASSERT_EQ(reading.report.findings.kept().size(), 1u);
  const Finding& finding = reading.report.findings.kept().front();
  EXPECT_EQ(finding.kind, FindingKind::kBadLine);
  EXPECT_EQ(finding.source.line, 3);
  EXPECT_EQ(finding.source.row, 3);
  EXPECT_EQ(finding.column, 15);
  std::vector<int64_t> lines;
  for (const Row& row : reading.rows) lines.push_back(row.source.line);
  EXPECT_EQ(lines, (std::vector<int64_t>{1, 2, 5, 6}));
}

TEST(JsonLines, CaseA05BrokenFirstLineIsOneBadLine) {
  const Reading reading = read_text("a.jsonl", "{\"prompt\":\"a\"\n" + rows(2), skipping());
  EXPECT_EQ(reading.rows.size(), 2u);
  EXPECT_EQ(reading.report.findings.count(FindingKind::kBadLine), 1);
}

TEST(JsonLines, DuplicateKeysAreRefused) {
  EXPECT_THAT(failure_of("a.jsonl", "{\"text\":\"a\",\"text\":\"b\"}"), HasSubstr("key \"text\" stands twice"));
}

TEST(JsonLines, ALineThatIsNoObjectIsBad) {
  EXPECT_THAT(failure_of("a.jsonl", std::string(kRow) + "[1,2]\n"), HasSubstr(":2:1: expected an object of columns"));
}

TEST(JsonLines, ALineOverTheLimitIsPassedOverAsAWhole) {
  ReadOptions options = skipping();
  options.limits.record_bytes = 200;
  const std::string long_line = "{\"prompt\":\"" + std::string(100'000, 'x') + "\",\"completion\":\"\"}\n";
  const Reading reading = read_text("a.jsonl", std::string(kRow) + long_line + std::string(kRow), options);
  EXPECT_EQ(reading.rows.size(), 2u);
  ASSERT_EQ(reading.report.findings.kept().size(), 1u);
  EXPECT_EQ(reading.report.findings.kept()[0].message, "the line is longer than 200 bytes, the limit for one row");
  EXPECT_EQ(reading.report.findings.kept()[0].source.line, 2);
}

TEST(JsonLines, NestingBombIsABadLine) {
  const std::string bomb = "{\"text\":" + std::string(100'000, '[');
  const Reading reading = read_text("a.jsonl", "{\"text\":\"a\"}\n" + bomb + "\n", skipping());
  EXPECT_EQ(reading.rows.size(), 1u);
  EXPECT_EQ(reading.report.findings.total(), 1);
}

TEST(JsonLines, InvalidUtf8IsABadLine) {
  EXPECT_THAT(failure_of("a.jsonl", "{\"text\":\"a\"}\n{\"text\":\"\xFF\"}\n"), HasSubstr(".jsonl:2:"));
}

TEST(JsonLines, AFileOfBadLinesOnlyIsRefusedWithTheFirst) {
  const std::string sentence = failure_of("a.jsonl", "{\n{\n{\n", skipping());
  EXPECT_THAT(sentence, HasSubstr("no row is usable, 3 are bad. The first: "));
}

TEST(JsonLines, AnEmptyFileIsRefused) {
  EXPECT_THAT(failure_of("a.jsonl", ""), HasSubstr("a.jsonl: holds no rows. Give a file with at least one."));
  EXPECT_THAT(failure_of("a.jsonl", " \n\n"), HasSubstr("holds no rows"));
}

}  // namespace
}  // namespace anneal::datasets::tests
