#include "datasets/encoding/dataset_encoding.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "datasets/encoding/shipped_templates.h"
#include "kernels/core/error.h"
#include "tests/datasets/encoding/toy_tokenizer.h"
#include "tests/support/temporary_folder.h"

namespace anneal::datasets::tests {
namespace {

using testing::HasSubstr;

TEST(DatasetEncoding, RowsInOrderWithCountsOfTheRest) {
  const anneal::tests::TemporaryFolder folder;
  const std::string path = folder.write("a.jsonl",
                                        "{\"prompt\":\"p\",\"completion\":\"ab\"}\n"
                                        "{\"prompt\":\"pqrstuvwxyz\",\"completion\":\"b\"}\n"
                                        "{\"prompt\":\"\",\"completion\":\"c</s>\"}\n");
  const ToyTokenizer tokenizer;
  EncodingOptions options;
  options.max_sequence_length = 8;
  const RowEncoder encoder({tokenizer, shipped_template("chatml")}, options);
  std::vector<EncodedRow> rows;
  std::vector<int64_t> sources;
  const EncodingReport report = encode_dataset({path}, {}, encoder, 2, [&](EncodedRow&& row, const Source& source) {
    rows.push_back(std::move(row));
    sources.push_back(source.row);
  });
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(sources, (std::vector<int64_t>{1, 3}));
  EXPECT_EQ(rows[1].ids, joined({bytes("c"), {kEnd}}));
  EXPECT_EQ(report.reading.rows, 3);
  EXPECT_EQ(report.rows_used, 2);
  EXPECT_EQ(report.findings.count(FindingKind::kTooLong), 1);
  EXPECT_EQ(report.findings.count(FindingKind::kEndTextTaken), 1);
  EXPECT_EQ(report.tokens.lengths.longest(), 13);
  EXPECT_EQ(report.tokens.total, 6);
  EXPECT_EQ(report.tokens.label_tokens, 4);  // a, b, the end; the end behind c, which itself stands first
}

TEST(DatasetEncoding, CaseB06NothingToLearnFromIsRefused) {
  const anneal::tests::TemporaryFolder folder;
  const std::string path = folder.write("a.jsonl", "{\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]}\n");
  const ToyTokenizer tokenizer;
  const RowEncoder encoder({tokenizer, shipped_template("chatml")}, {});
  try {
    encode_dataset({path}, {}, encoder, 1, [](EncodedRow&&, const Source&) {});
    FAIL() << "a data set without a target was accepted";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("none of 1 rows has anything to learn from (1 no_target). The first: "));
    EXPECT_THAT(error.what(), HasSubstr("The first row reads: <|im_start|>user\\x0Ax<|im_end|>\\x0A. Look at"));
  }
}

// What is learned of the row is marked, so that a person sees at once why it does not fit.
TEST(DatasetEncoding, CaseB06TheRefusalShowsTheFirstRowWithItsMask) {
  const anneal::tests::TemporaryFolder folder;
  const std::string path = folder.write("a.jsonl", "{\"prompt\":\"pq\",\"completion\":\"abcdef\"}\n");
  const ToyTokenizer tokenizer;
  EncodingOptions options;
  options.max_sequence_length = 4;
  const RowEncoder encoder({tokenizer, shipped_template("chatml")}, options);
  try {
    encode_dataset({path}, {}, encoder, 1, [](EncodedRow&&, const Source&) {});
    FAIL() << "a data set without a target was accepted";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("The first row reads: pq«abcdef</s>». Look at"));
  }
}

}  // namespace
}  // namespace anneal::datasets::tests
