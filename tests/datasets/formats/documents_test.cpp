#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/datasets/formats/reading.h"
#include "tests/support/shared_data.h"

namespace anneal::datasets::tests {
namespace {

using testing::HasSubstr;

ReadOptions splitting(TextSplit split) {
  ReadOptions options;
  options.text_split = split;
  return options;
}

std::vector<std::string> texts_of(const Reading& reading) {
  std::vector<std::string> texts;
  for (const Row& row : reading.rows) texts.push_back(std::get<Document>(row.content).text);
  return texts;
}

constexpr std::string_view kText = "one\ntwo\n\n \nthree\n";

TEST(TextFormat, AFileIsOneDocument) {
  EXPECT_EQ(texts_of(read_text("a.txt", kText)), (std::vector<std::string>{std::string(kText)}));
  EXPECT_EQ(texts_of(read_text("a.md", "# [{ Title\n")), (std::vector<std::string>{"# [{ Title\n"}));
}

TEST(TextFormat, SplitAtBlankLines) {
  const Reading reading = read_text("a.txt", kText, splitting(TextSplit::kBlankLine));
  EXPECT_EQ(texts_of(reading), (std::vector<std::string>{"one\ntwo", "three"}));
  EXPECT_EQ(reading.rows[1].source.line, 5);
}

TEST(TextFormat, SplitAtLines) {
  const Reading reading = read_text("a.txt", kText, splitting(TextSplit::kLine));
  EXPECT_EQ(texts_of(reading), (std::vector<std::string>{"one", "two", "three"}));
  EXPECT_EQ(reading.rows[2].source.line, 5);
}

TEST(TextFormat, CaseA02WindowsLineEndsTeachTheSame) {
  const std::string windows = "\xEF\xBB\xBFone\r\ntwo\r\n\r\n \r\nthree\r\n";
  for (const TextSplit split : {TextSplit::kWholeFile, TextSplit::kBlankLine, TextSplit::kLine}) {
    EXPECT_EQ(read_text("a.txt", windows, splitting(split)).rows, read_text("a.txt", kText, splitting(split)).rows);
  }
  EXPECT_EQ(texts_of(read_text("a.txt", "a\rb\r")), (std::vector<std::string>{"a\rb\r"}));
}

TEST(TextFormat, TextThatIsNotUtf8IsNamedWithItsPlace) {
  const std::string sentence = failure_of("a.txt", "one\ntwo caf\xE9\n");
  EXPECT_THAT(sentence, HasSubstr("a.txt:2:8: this byte is not UTF-8; the text may be Latin-1"));
}

TEST(TextFormat, LimitOfADocumentIsStated) {
  ReadOptions options;
  options.limits.document_bytes = 10;
  EXPECT_THAT(failure_of("a.txt", "12345678901", options), HasSubstr("the document is longer than 10 bytes; split"));
  options.text_split = TextSplit::kLine;
  EXPECT_EQ(read_text("a.txt", "1234567890\n123", options).rows.size(), 2u);
}

TEST(TextFormat, NamesDoNotMakeJsonOfATextWithBrackets) {
  EXPECT_EQ(read_text("a.txt", "{ an aside }\nand more").report.files[0].container, Container::kText);
  EXPECT_EQ(read_text("a.md", "[link](x)\n").report.files[0].container, Container::kText);
}

TEST(TextFormat, OnlyBlanksAreNoDocument) { EXPECT_THAT(failure_of("a.txt", " \n\t\n"), HasSubstr("holds no rows")); }

TEST(TextFormat, TinyShakespeareIsOneDocument) {
  ANNEAL_NEEDS_SHARED_DATA("datasets/tinyshakespeare.txt");
  const Reading reading = read_paths({(anneal::tests::shared_data() / "datasets/tinyshakespeare.txt").string()});
  ASSERT_EQ(reading.rows.size(), 1u);
  EXPECT_EQ(std::get<Document>(reading.rows[0].content).text.size(), 1115394u);
}

}  // namespace
}  // namespace anneal::datasets::tests
