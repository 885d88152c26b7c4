#include "datasets/doctor/dataset_summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "datasets/encoding/shipped_templates.h"
#include "tests/datasets/encoding/toy_tokenizer.h"
#include "tests/support/temporary_folder.h"

namespace anneal::datasets::tests {
namespace {

DatasetSummary summarise(const std::string& name, std::string_view content, const RowEncoder* encoder) {
  const anneal::tests::TemporaryFolder folder;
  return summarise_dataset({folder.write(name, content)}, {}, encoder, 2);
}

TEST(DatasetSummary, CaseA05OneFindingAndFourRows) {
  const std::string row = "{\"prompt\":\"a\",\"completion\":\"b\"}\n";
  const DatasetSummary summary = summarise("a.jsonl", row + row + "{\"prompt\":\"a\",}\n   \n" + row + row, nullptr);
  EXPECT_EQ(summary.format, "prompt_completion");
  EXPECT_EQ(summary.rows, 4);
  EXPECT_EQ(summary.usable, 4);
  ASSERT_EQ(summary.findings.total(), 1);
  EXPECT_EQ(summary.findings.kept()[0].source.line, 3);
  EXPECT_FALSE(summary.tokens);
}

TEST(DatasetSummary, CaseA05FilesThatCannotBeReadDoNotHideTheOthers) {
  const anneal::tests::TemporaryFolder folder;
  const DatasetSummary summary =
      summarise_dataset({(folder.path() / "missing.jsonl").string(), folder.write("a.jsonl", "{\"text\":\"a\"}\n"),
                         folder.write("b.csv", "what,ever\n1,2\n")},
                        {}, nullptr, 1);
  EXPECT_EQ(summary.rows, 1);
  EXPECT_EQ(summary.format, "text");
  EXPECT_THAT(summary.problems, testing::ElementsAre(testing::HasSubstr("missing.jsonl: cannot be opened"),
                                                     testing::HasSubstr("b.csv: its columns")));
}

TEST(DatasetSummary, CaseA04ThreeRowsTwoEmptyAnswers) {
  const DatasetSummary summary = summarise("a.csv", "prompt,completion\na,\"\"\nb,\nc,NA\n", nullptr);
  EXPECT_EQ(summary.rows, 3);
  EXPECT_EQ(summary.findings.count(FindingKind::kEmptyAnswer), 2);
}

TEST(DatasetSummary, TokensWithAModel) {
  const ToyTokenizer tokenizer;
  EncodingOptions options;
  options.max_sequence_length = 10;
  const RowEncoder encoder({tokenizer, shipped_template("chatml")}, options);
  const DatasetSummary summary = summarise("a.jsonl",
                                           "{\"prompt\":\"pp\",\"completion\":\"cc\"}\n"
                                           "{\"prompt\":\"</s>\",\"completion\":\"c\"}\n"
                                           "nonsense\n"
                                           "{\"prompt\":\"pppppppppp\",\"completion\":\"c\"}\n",
                                           &encoder);
  EXPECT_EQ(summary.rows, 3);
  EXPECT_EQ(summary.usable, 2);
  ASSERT_TRUE(summary.tokens);
  EXPECT_EQ(summary.tokens->lengths.shortest(), 5);
  EXPECT_EQ(summary.tokens->lengths.median(), 6);
  EXPECT_EQ(summary.tokens->lengths.longest(), 12);
  EXPECT_EQ(summary.tokens->total, 11);
  EXPECT_EQ(summary.tokens->label_tokens, 5);
  std::vector<std::string> kinds;
  for (const Finding& finding : summary.findings.kept()) kinds.emplace_back(name_of(finding.kind));
  EXPECT_EQ(kinds, (std::vector<std::string>{"control_text", "bad_line", "too_long"}));
}

TEST(DatasetSummary, NothingUsableIsShownAndNotRefused) {
  const DatasetSummary summary =
      summarise("a.jsonl", "{\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]}\n", nullptr);
  EXPECT_EQ(summary.rows, 1);
  EXPECT_EQ(summary.usable, 0);
  EXPECT_EQ(summary.findings.count(FindingKind::kNoTarget), 1);
}

TEST(DatasetSummary, OneFindingForOneFault) {
  const ToyTokenizer tokenizer;
  const RowEncoder encoder({tokenizer, shipped_template("chatml")}, {});
  EXPECT_EQ(summarise("a.jsonl", "{\"messages\":[]}\n", &encoder).findings.total(), 1);
  const DatasetSummary pairs = summarise("a.jsonl",
                                         "{\"prompt\":\"p\",\"chosen\":\"a\",\"rejected\":\"a\"}\n{\"prompt\":\"p\","
                                         "\"chosen\":\"ab\",\"rejected\":\"c\"}\n",
                                         &encoder);
  EXPECT_EQ(pairs.findings.total(), 1);
  EXPECT_EQ(pairs.usable, 1);
  EXPECT_EQ(pairs.tokens->total, 7);  // p a b end, p c end
}

}  // namespace
}  // namespace anneal::datasets::tests
