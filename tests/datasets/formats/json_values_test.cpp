#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/datasets/formats/reading.h"

namespace anneal::datasets::tests {
namespace {

using testing::HasSubstr;

constexpr std::string_view kLines =
    "{\"prompt\":\"a, [b] {c\",\"completion\":\"x\\\"]\"}\n{\"prompt\":\"\",\"completion\":\"y\"}\n";
constexpr std::string_view kArray =
    " [{\"prompt\":\"a, [b] {c\",\"completion\":\"x\\\"]\"},\n{\"prompt\":\"\",\"completion\":\"y\"}]\n";

TEST(JsonArray, CaseA06ArrayAndLinesGiveTheSameRows) {
  const Reading lines = read_text("x.json", kLines);
  const Reading array = read_text("x.jsonl", kArray);
  ASSERT_EQ(lines.rows.size(), 2u);
  EXPECT_EQ(array.rows.size(), lines.rows.size());
  EXPECT_EQ(contents_of(array.rows), contents_of(lines.rows));
  EXPECT_EQ(lines.report.files[0].container, Container::kJsonLines);
  EXPECT_EQ(array.report.files[0].container, Container::kJsonArray);
}

TEST(JsonArray, CaseA06NameDoesNotMatter) {
  for (const char* name : {"x.txt", "x.csv", "x", "x.data", "x.md"}) {
    EXPECT_EQ(read_text(name, kArray).rows.size(), 2u) << name;
    EXPECT_EQ(read_text(name, kLines).rows.size(), 2u) << name;
  }
}

TEST(JsonArray, RowsKnowTheirLines) {
  const Reading reading = read_text("x.json", "[\n  {\n  \"text\": \"a\"\n  },\n\n  {\"text\": \"b\"}\n]\n");
  ASSERT_EQ(reading.rows.size(), 2u);
  EXPECT_EQ(reading.rows[0].source.line, 2);
  EXPECT_EQ(reading.rows[1].source.line, 6);
  EXPECT_EQ(reading.rows[1].source.row, 2);
}

TEST(JsonArray, CaseA05OneBadElementCostsOnlyItself) {
  const std::string text = "[{\"text\":\"a\"},\n {\"text\":\"b\",},\n {\"text\":\"c\"}]";
  const Reading reading = read_text("x.json", text, skipping());
  EXPECT_EQ(reading.rows.size(), 2u);
  ASSERT_EQ(reading.report.findings.kept().size(), 1u);
  EXPECT_EQ(reading.report.findings.kept()[0].source.line, 2);
  EXPECT_EQ(reading.report.findings.kept()[0].column, 14);
  EXPECT_THAT(failure_of("x.json", text), HasSubstr("x.json:2:14: "));
}

TEST(JsonArray, PlacesInsideElementsOverSeveralLines) {
  EXPECT_THAT(failure_of("x.json", "[\n{\"text\":\"a\"},\n{\n  \"text\": nope\n}\n]"), HasSubstr("x.json:4:"));
}

TEST(JsonArray, WhatIsMissingAtTheEndIsSaid) {
  EXPECT_THAT(failure_of("x.json", "[{\"text\":\"a\"}"), HasSubstr("the file ends before the list is closed with ]"));
  EXPECT_THAT(failure_of("x.json", "[{\"text\":\"a\"},{\"text\":"),
              HasSubstr("the file ends in the middle of this value"));
  EXPECT_THAT(failure_of("x.json", "[{\"text\":\"a\"},]"), HasSubstr("a value is missing beside the comma"));
  EXPECT_THAT(failure_of("x.json", "[{\"text\":\"a\"}] x"),
              HasSubstr("x.json:1:16: there is more text behind the list"));
  EXPECT_THAT(failure_of("x.json", "[]"), HasSubstr("holds no rows"));
}

TEST(JsonArray, SmallWindowsMakeNoDifference) {
  // Longer than the window through which a file is read.
  std::string array = "[";
  for (int i = 0; i < 3000; ++i) {
    array += (i == 0 ? "" : " ,\n ") + std::string("{\"text\":\"") + std::string(100, static_cast<char>('a' + i % 26)) +
             "\\\"\"}";
  }
  const Reading reading = read_text("x.json", array + "]");
  ASSERT_EQ(reading.rows.size(), 3000u);
  EXPECT_EQ(std::get<Document>(reading.rows[2999].content).text,
            std::string(100, static_cast<char>('a' + 2999 % 26)) + "\"");
  EXPECT_EQ(reading.rows[2999].source.line, 3000);
}

TEST(JsonArray, AValueOverTheLimitIsPassedOver) {
  ReadOptions options = skipping();
  options.limits.record_bytes = 100;
  const Reading reading = read_text(
      "x.json", "[{\"text\":\"a\"},{\"text\":\"" + std::string(90'000, 'x') + "\"},{\"text\":\"c\"}]", options);
  EXPECT_EQ(reading.rows.size(), 2u);
  EXPECT_EQ(reading.report.findings.count(FindingKind::kBadLine), 1);
}

TEST(JsonValues, ObjectsOverSeveralLines) {
  const Reading reading = read_text("x.jsonl", "{\n \"text\": \"a\"\n}\n{\n \"text\": \"b}\"\n}\n");
  ASSERT_EQ(reading.rows.size(), 2u);
  EXPECT_EQ(reading.report.files[0].container, Container::kJsonValues);
  EXPECT_EQ(std::get<Document>(reading.rows[1].content).text, "b}");
  EXPECT_EQ(reading.rows[1].source.line, 4);
  EXPECT_THAT(failure_of("x.json", "{\n \"text\": \"a\"\n}\n{\n \"text\": \"b"),
              HasSubstr("x.json:4:1: the file ends in the middle of this object"));
  EXPECT_THAT(failure_of("x.json", "{\n \"text\": \"a\"\n},\n{}"), HasSubstr("x.json:3:2: expected {"));
}

}  // namespace
}  // namespace anneal::datasets::tests
