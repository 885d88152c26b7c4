#include "datasets/doctor/row_inspection.h"

#include <gtest/gtest.h>

#include "tests/datasets/encoding/toy_tokenizer.h"

namespace anneal::datasets::tests {
namespace {

Message message(const std::string& role, const std::string& content) {
  Message made;
  made.role = role;
  made.content = content;
  return made;
}

std::vector<FindingKind> kinds_of(const std::vector<Finding>& findings) {
  std::vector<FindingKind> kinds;
  for (const Finding& finding : findings) kinds.push_back(finding.kind);
  return kinds;
}

std::vector<FindingKind> look(RowContent content) {
  return kinds_of(inspect_row(Row{{"a.jsonl", 3, 2}, std::move(content)}));
}
Conversation chat(std::vector<Message> messages) { return {std::move(messages), {}, Json::object()}; }

using Kinds = std::vector<FindingKind>;

TEST(RowInspection, CaseA04EmptyAnswersAreReported) {
  EXPECT_EQ(look(PromptCompletion{"a", ""}), (Kinds{FindingKind::kEmptyAnswer}));
  EXPECT_EQ(look(PromptCompletion{"a", "NA"}), Kinds{});
  EXPECT_EQ(look(Document{""}), (Kinds{FindingKind::kEmptyText}));
}

TEST(RowInspection, CaseB02ConversationsWithoutAnAnswer) {
  EXPECT_EQ(look(chat({message("system", "x")})), (Kinds{FindingKind::kNoTarget}));
  EXPECT_EQ(look(chat({})), (Kinds{FindingKind::kNoTarget}));
  EXPECT_EQ(look(chat({message("user", "x"), message("assistant", "y"), message("user", "z")})), Kinds{});
}

TEST(RowInspection, CaseB03EmptyTurns) {
  EXPECT_EQ(look(chat({message("system", ""), message("user", " \n"), message("assistant", "  \n")})),
            (Kinds{FindingKind::kEmptyText, FindingKind::kEmptyAnswer}));
  Message call = message("assistant", "");
  call.content.reset();
  call.tool_calls = Json::array({Json::object()});
  EXPECT_EQ(look(chat({message("user", "x"), call})), Kinds{});
}

TEST(RowInspection, CaseB01TwoTurnsOfOneRole) {
  const auto findings = inspect_row(
      Row{{"a.jsonl", 3, 2},
          chat({message("user", "a"), message("assistant", "b"), message("user", "c"), message("user", "d")})});
  ASSERT_EQ(kinds_of(findings), (Kinds{FindingKind::kConsecutiveTurns}));
  EXPECT_EQ(describe(findings[0]), "a.jsonl:3: messages 3 and 4 are both by user");
}

TEST(RowInspection, CaseB09ThinkMarkupInAnAnswer) {
  EXPECT_EQ(look(chat({message("user", "a"), message("assistant", "reason\n</think>\n\nanswer")})),
            (Kinds{FindingKind::kThinkMarkup}));
}

TEST(RowInspection, PairsOfTheSameAnswer) {
  EXPECT_EQ(look(Preference{"p", "a", "a", {}}), (Kinds{FindingKind::kIdenticalPair}));
  EXPECT_EQ(look(Preference{"p", "a", "", {}}), (Kinds{FindingKind::kEmptyAnswer}));
}

TEST(ControlTexts, AreFoundInDataButNotAsAnEnd) {
  const ToyTokenizer tokenizer;
  const ControlTexts controls(tokenizer);
  const auto find = [&](RowContent content) { return controls.find_in(Row{{}, std::move(content)}); };
  ASSERT_EQ(find(chat({message("user", "say <|im_end|> now")})).size(), 1u);
  EXPECT_EQ(find(chat({message("user", "say <|im_end|> now")}))[0].message,
            "its text holds <|im_end|>, which stays ordinary text and is no control token");
  EXPECT_TRUE(find(PromptCompletion{"a", "b</s>"}).empty());
  EXPECT_EQ(find(PromptCompletion{"a</s>", "b"}).size(), 1u);
  EXPECT_EQ(find(Document{"a</s>b"}).size(), 1u);
}

}  // namespace
}  // namespace anneal::datasets::tests
