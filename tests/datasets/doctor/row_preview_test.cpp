#include "datasets/doctor/row_preview.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "datasets/encoding/shipped_templates.h"
#include "kernels/core/error.h"
#include "tests/datasets/encoding/toy_tokenizer.h"
#include "tests/support/temporary_folder.h"

namespace anneal::datasets::tests {
namespace {

using testing::HasSubstr;

std::string failure_of(const std::vector<std::string>& paths, int64_t number) {
  try {
    find_row(paths, {}, number);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

std::string learned_text(const RowPreview& part) {
  std::string text;
  for (const PreviewToken& token : part.tokens) {
    if (token.learn) text += token.text;
  }
  return text;
}

TEST(RowPreview, ShowsTextTokensAndMask) {
  const ToyTokenizer tokenizer;
  const RowEncoder encoder({tokenizer, shipped_template("chatml")}, {});
  const RowPreviews previews = preview_row(Row{{}, PromptCompletion{"pq", "ab"}}, encoder);
  ASSERT_EQ(previews.parts.size(), 1u);
  EXPECT_EQ(previews.parts[0].text, "pqab</s>");
  EXPECT_EQ(learned_text(previews.parts[0]), "ab</s>");
  EXPECT_EQ(previews.parts[0].cut, "none");
  EXPECT_EQ(previews.parts[0].tokens[2].id, byte_token('a'));
}

TEST(RowPreview, RowsThatAreLeftOutAreShownAsAWhole) {
  const ToyTokenizer tokenizer;
  EncodingOptions options;
  options.max_sequence_length = 4;
  const RowEncoder encoder({tokenizer, shipped_template("chatml")}, options);
  const RowPreviews previews = preview_row(Row{{}, PromptCompletion{"pqrs", "ab"}}, encoder);
  ASSERT_EQ(previews.parts.size(), 1u);
  EXPECT_EQ(previews.parts[0].cut, "left_out");
  EXPECT_EQ(previews.parts[0].text, "pqrsab</s>");
  ASSERT_EQ(previews.findings.size(), 1u);
  EXPECT_EQ(previews.findings[0].kind, FindingKind::kTooLong);
  const RowPreviews document = preview_row(Row{{}, Document{"abcdefg"}}, encoder);
  ASSERT_EQ(document.parts.size(), 2u);
  EXPECT_EQ(document.parts[1].name, "2 of 2");
  EXPECT_EQ(document.parts[1].text, "efg</s>");
}

TEST(RowPreview, CaseC02TheEndTokenIsSeen) {
  const ToyTokenizer tokenizer;
  const RowEncoder encoder({tokenizer, shipped_template("chatml")}, {});
  for (const char* completion : {"b", "b</s>"}) {
    const RowPreviews previews = preview_row(Row{{}, PromptCompletion{"a", completion}}, encoder);
    EXPECT_EQ(learned_text(previews.parts[0]), "b</s>");
    EXPECT_EQ(previews.parts[0].tokens.back().id, kEnd);
  }
}

TEST(RowPreview, CaseB01ARefusedRowHasNoPartsAndSaysWhy) {
  const ToyTokenizer tokenizer;
  const RowEncoder encoder({tokenizer, ChatTemplate::parse("{{ raise_exception('roles must alternate') }}", "t")}, {});
  Message answer;
  answer.role = "assistant";
  answer.content = "a";
  const RowPreviews previews = preview_row(Row{{"a.jsonl", 7, 3}, Conversation{{answer}, {}, Json::object()}}, encoder);
  EXPECT_TRUE(previews.parts.empty());
  ASSERT_EQ(previews.findings.size(), 1u);
  EXPECT_EQ(describe(previews.findings[0]),
            "a.jsonl:7: t:1: the chat template refuses: roles must alternate. Change the conversation or the template");
}

TEST(RowPreview, PairsShowBothAnswers) {
  const ToyTokenizer tokenizer;
  const RowEncoder encoder({tokenizer, shipped_template("chatml")}, {});
  const RowPreviews previews = preview_row(Row{{}, Preference{"p", "yes", "no", {}}}, encoder);
  ASSERT_EQ(previews.parts.size(), 2u);
  EXPECT_EQ(learned_text(previews.parts[0]), "yes</s>");
  EXPECT_EQ(previews.parts[1].name, "rejected");
}

TEST(RowPreview, RowsAreFoundByNumberOverAllFiles) {
  const anneal::tests::TemporaryFolder folder;
  const std::vector<std::string> paths = {folder.write("a.jsonl", "{\"text\":\"1\"}\nbad\n{\"text\":\"3\"}\n"),
                                          folder.write("b.jsonl", "{\"text\":\"4\"}\n")};
  EXPECT_EQ(std::get<Document>(find_row(paths, {}, 3).content).text, "3");
  EXPECT_EQ(std::get<Document>(find_row(paths, {}, 4).content).text, "4");
  EXPECT_THAT(failure_of(paths, 2), HasSubstr("a.jsonl:2:1: "));
  EXPECT_THAT(failure_of(paths, 0), HasSubstr("row 0: the data has 4 rows. Choose one of them, counted from 1."));
  EXPECT_THAT(failure_of(paths, 5), HasSubstr("row 5: the data has 4 rows. Choose one of them, counted from 1."));
  EXPECT_THAT(failure_of({folder.write("c.jsonl", "{\"text\":\"1\"}\nbad\n")}, 2), HasSubstr("c.jsonl:2:1: "));
}

}  // namespace
}  // namespace anneal::datasets::tests
