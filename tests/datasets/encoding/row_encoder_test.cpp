#include "datasets/encoding/row_encoder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "datasets/encoding/shipped_templates.h"
#include "datasets/tokenizers/id_tokenizer.h"
#include "kernels/core/error.h"
#include "tests/datasets/encoding/toy_tokenizer.h"

namespace anneal::datasets::tests {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

Message message(const std::string& role, const std::string& content) {
  Message made;
  made.role = role;
  made.content = content;
  return made;
}

Row row_of(RowContent content) { return Row{{"data.jsonl", 7, 3}, std::move(content)}; }
Row chat(std::vector<Message> messages) { return row_of(Conversation{std::move(messages), {}, Json::object()}); }

RowEncoder encoder_with(const Tokenizer& tokenizer, std::optional<ChatTemplate> chat_template,
                        EncodingOptions options = {}, Json special_tokens = Json::object()) {
  return RowEncoder({tokenizer, std::move(chat_template), {}, std::move(special_tokens)}, std::move(options));
}
RowEncoder chatml_encoder(const Tokenizer& tokenizer, EncodingOptions options = {}) {
  return encoder_with(tokenizer, shipped_template("chatml"), std::move(options));
}

EncodedRow only_row(const EncodedRows& encoded) {
  if (encoded.rows.size() != 1) throw std::runtime_error("expected one encoded row");
  return encoded.rows.front();
}

std::vector<FindingKind> kinds_of(const std::vector<Finding>& findings) {
  std::vector<FindingKind> kinds;
  for (const Finding& finding : findings) kinds.push_back(finding.kind);
  return kinds;
}

// <|im_start|>role\ncontent<|im_end|>\n as tokens.
std::vector<Token> turn(const std::string& role, const std::string& content) {
  return joined({{kTurn}, bytes(role + "\n" + content), {kTurnEnd}, bytes("\n")});
}

const ToyTokenizer kToy;

TEST(RowEncoder, AConversationsAnswersAreLearnedThroughTheirEnd) {
  const EncodedRow row = only_row(chatml_encoder(kToy).encode(
      chat({message("user", "hi"), message("assistant", "yo"), message("user", "?"), message("assistant", "!")})));
  EXPECT_EQ(row.ids, joined({turn("user", "hi"), turn("assistant", "yo"), turn("user", "?"), turn("assistant", "!")}));
  EXPECT_EQ(
      row.labels,
      joined(
          {none(10), none(11), bytes("yo"), {kTurnEnd}, none(1), none(9), none(11), bytes("!"), {kTurnEnd}, none(1)}));
  EXPECT_EQ(row.cut, Cut::kNone);
}

TEST(RowEncoder, TrainOnAndWeightsChooseTheTurns) {
  const std::vector<Message> messages = {message("user", "a"), message("assistant", "b"), message("user", "c"),
                                         message("assistant", "d")};
  EncodingOptions last;
  last.train_on = TrainOn::kLastAnswer;
  EXPECT_EQ(only_row(chatml_encoder(kToy, last).encode(chat(messages))).label_count(), 2);
  EncodingOptions everything;
  everything.train_on = TrainOn::kEverything;
  const EncodedRow all = only_row(chatml_encoder(kToy, everything).encode(chat(messages)));
  EXPECT_EQ(all.label_count(), all.size() - 1);
  std::vector<Message> weighted = messages;
  weighted[3].learn = false;
  const EncodedRow first = only_row(chatml_encoder(kToy).encode(chat(weighted)));
  EXPECT_EQ(first.label_count(), 2);
  EXPECT_THAT(first.labels, testing::Contains(byte_token('b')));
  EXPECT_THAT(first.labels, testing::Not(testing::Contains(byte_token('d'))));
}

TEST(RowEncoder, ControlTokensInDataStayText) {
  const EncodedRow row = only_row(
      chatml_encoder(kToy).encode(chat({message("user", "<|im_end|>"), message("assistant", "<|im_start|>x")})));
  EXPECT_EQ(row.ids, joined({turn("user", "<|im_end|>"), turn("assistant", "<|im_start|>x")}));
}

TEST(RowEncoder, CaseB02RowsWithoutATargetAreReported) {
  const RowEncoder encoder = chatml_encoder(kToy);
  std::vector<Message> unwanted = {message("user", "a"), message("assistant", "b")};
  unwanted[1].learn = false;
  for (const auto& messages :
       {std::vector<Message>{}, {message("system", "x")}, {message("system", "x"), message("user", "y")}, unwanted}) {
    const EncodedRows encoded = encoder.encode(chat(messages));
    EXPECT_TRUE(encoded.rows.empty());
    ASSERT_EQ(kinds_of(encoded.findings), (std::vector{FindingKind::kNoTarget}));
    EXPECT_EQ(encoded.findings[0].source.line, 7);
  }
}

TEST(RowEncoder, CaseB02ARowThatEndsInAUserTurnLearnsItsAnswers) {
  const EncodedRow row = only_row(
      chatml_encoder(kToy).encode(chat({message("user", "a"), message("assistant", "b"), message("user", "c")})));
  EXPECT_EQ(row.label_count(), 2);
}

TEST(RowEncoder, CaseB03AnEmptyAnswerTeachesOnlyItsEnd) {
  const EncodedRow row = only_row(chatml_encoder(kToy).encode(chat({message("user", "a"), message("assistant", "")})));
  EXPECT_EQ(row.ids, joined({turn("user", "a"), turn("assistant", "")}));
  EXPECT_EQ(row.labels, joined({none(9), none(11), {kTurnEnd}, none(1)}));
}

TEST(RowEncoder, CaseB03EmptyAnswersMayBeLeftUnlearned) {
  EncodingOptions options;
  options.empty_answers = EmptyAnswers::kSkip;
  const RowEncoder encoder = chatml_encoder(kToy, options);
  const EncodedRow row = only_row(encoder.encode(
      chat({message("user", "a"), message("assistant", "  \n"), message("user", "b"), message("assistant", "c")})));
  EXPECT_EQ(row.ids, joined({turn("user", "a"), turn("assistant", "  \n"), turn("user", "b"), turn("assistant", "c")}));
  EXPECT_EQ(row.label_count(), 2);  // c and its end
  EXPECT_EQ(kinds_of(encoder.encode(chat({message("user", "a"), message("assistant", "")})).findings),
            (std::vector{FindingKind::kNoTarget}));
  EXPECT_EQ(kinds_of(encoder.encode(row_of(PromptCompletion{"a", ""})).findings),
            (std::vector{FindingKind::kEmptyAnswer}));
}

TEST(RowEncoder, CaseB06AHeaderOfOneAddedToken) {
  const std::string source =
      "{% for m in messages %}{{ '<|im_start|>' if m.role == 'assistant' else '<s>' }}{{ m.content }}<|im_end|>{% "
      "endfor "
      "%}{% if add_generation_prompt %}<|im_start|>{% endif %}";
  const EncodedRow row = only_row(encoder_with(kToy, ChatTemplate::parse(source, "test"))
                                      .encode(chat({message("user", "a"), message("assistant", "b"),
                                                    message("user", "c"), message("assistant", "")})));
  EXPECT_EQ(row.ids,
            (std::vector<Token>{kBegin, 'a', kTurnEnd, kTurn, 'b', kTurnEnd, kBegin, 'c', kTurnEnd, kTurn, kTurnEnd}));
  EXPECT_EQ(row.labels, joined({none(4), {'b', kTurnEnd}, none(4), {kTurnEnd}}));
}

TEST(RowEncoder, CaseC02AnAnswerThatTheTemplateLeavesOpenIsEnded) {
  // Qwen 1.5 writes the end of a turn only where something follows.
  const std::string source =
      "{% for m in messages %}{{ '<|im_start|>' + m.role + '\n' + m.content }}{% if not loop.last or "
      "add_generation_prompt "
      "%}{{ '<|im_end|>\n' }}{% endif %}{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}";
  const RowEncoder encoder = encoder_with(kToy, ChatTemplate::parse(source, "test"));
  const EncodedRow row = only_row(encoder.encode(chat({message("user", "a"), message("assistant", "b")})));
  EXPECT_EQ(row.ids, joined({turn("user", "a"), {kTurn}, bytes("assistant\nb"), {kEnd}}));
  EXPECT_EQ(row.labels, joined({none(9), none(11), bytes("b"), {kEnd}}));
  // A row that ends in the person's turn has no open answer.
  EXPECT_EQ(only_row(encoder.encode(chat({message("assistant", "b"), message("user", "a")}))).ids.back(),
            byte_token('a'));
}

TEST(RowEncoder, CaseB05TheMaskStartsExactlyAtTheAnswer) {
  const ToyTokenizer gluing({.glues_blanks = true});
  const std::string source =
      "{% for m in messages %}{% if m.role == 'assistant' %}\n### Assistant: {{ m.content }}{% else %}{{ m.content "
      "}}{% endif "
      "%}{% endfor %}{% if add_generation_prompt %}\n### Assistant: {% endif %}";
  const RowEncoder encoder = encoder_with(gluing, ChatTemplate::parse(source, "test"));
  const EncodedRow row = only_row(encoder.encode(chat({message("user", ".."), message("assistant", "hi")})));
  EXPECT_EQ(row.ids.size(), row.labels.size());
  const std::size_t first = static_cast<std::size_t>(
      std::find_if(row.labels.begin(), row.labels.end(), [](Token label) { return label != kNoLabel; }) -
      row.labels.begin());
  ASSERT_LT(first, row.ids.size());
  EXPECT_EQ(row.ids[first], glued('h'));
  EXPECT_EQ(row.ids[first - 1], byte_token(':'));
  EXPECT_EQ(row.label_count(), 3);  // the template ends no turn, so the end token is added
}

TEST(RowEncoder, CaseB11OneBeginTokenAtMost) {
  const auto begins = [](bool in_template, bool adds) {
    const ToyTokenizer tokenizer({.adds_bos = adds});
    const std::string source = std::string(in_template ? "{{ bos_token }}" : "") +
                               "{% for m in messages %}{% if m.role == 'assistant' %}{% generation %}{{ m.content }}{% "
                               "endgeneration %}{% else %}{{ m.content }}{% endif %}{% endfor %}";
    const RowEncoder encoder =
        encoder_with(tokenizer, ChatTemplate::parse(source, "test"), {}, Json{{"bos_token", "<s>"}});
    const EncodedRow row = only_row(encoder.encode(chat({message("user", "a"), message("assistant", "b")})));
    return std::count(row.ids.begin(), row.ids.end(), kBegin);
  };
  EXPECT_EQ(begins(true, true), 1);
  EXPECT_EQ(begins(true, false), 1);
  EXPECT_EQ(begins(false, true), 1);
  EXPECT_EQ(begins(false, false), 0);
}

TEST(RowEncoder, CaseB11TextsGetTheBeginTokenToo) {
  const ToyTokenizer tokenizer({.adds_bos = true});
  const RowEncoder encoder = chatml_encoder(tokenizer);
  const EncodedRow texts = only_row(encoder.encode(row_of(PromptCompletion{"a", "b"})));
  EXPECT_EQ(texts.ids, (std::vector<Token>{kBegin, 'a', 'b', kEnd}));
  EXPECT_EQ(texts.labels, (std::vector<Token>{kNoLabel, kNoLabel, 'b', kEnd}));
  const EncodedRow document = only_row(encoder.encode(row_of(Document{"ab"})));
  EXPECT_EQ(document.ids, (std::vector<Token>{kBegin, 'a', 'b', kEnd}));
  EXPECT_EQ(document.labels, (std::vector<Token>{kNoLabel, 'a', 'b', kEnd}));
}

TEST(RowEncoder, CaseC01TheEndHasALabelThoughItPadsToo) {
  ASSERT_EQ(kToy.pad(), kToy.eos());
  for (const std::size_t length : {5u, 9u}) {
    const EncodedRow row =
        only_row(chatml_encoder(kToy).encode(row_of(PromptCompletion{"pq", std::string(length - 3, 'x')})));
    ASSERT_EQ(row.ids.size(), length);
    EXPECT_EQ(row.labels, joined({none(2), bytes(std::string(length - 3, 'x')), {kEnd}}));
  }
}

TEST(RowEncoder, CaseC02OneEndTokenAndNoMore) {
  const RowEncoder encoder = chatml_encoder(kToy);
  const EncodedRows plain = encoder.encode(row_of(PromptCompletion{"a", "b"}));
  EXPECT_EQ(kToy.decode(only_row(plain).ids), "ab</s>");
  EXPECT_TRUE(plain.findings.empty());
  const EncodedRows ended = encoder.encode(row_of(PromptCompletion{"a", "b</s>"}));
  EXPECT_EQ(only_row(ended), only_row(plain));
  EXPECT_EQ(kinds_of(ended.findings), (std::vector{FindingKind::kEndTextTaken}));
  const EncodedRows document = encoder.encode(row_of(Document{"b</s>"}));
  EXPECT_EQ(only_row(document).ids, joined({bytes("b"), {kEnd}}));
  EXPECT_EQ(kinds_of(document.findings), (std::vector{FindingKind::kEndTextTaken}));
  // In the middle it stays text.
  EXPECT_EQ(only_row(encoder.encode(row_of(Document{"</s>b"}))).ids, joined({bytes("</s>b"), {kEnd}}));
}

TEST(RowEncoder, ATokenizerWithoutAnEndAddsNone) {
  const ToyTokenizer endless({.has_end = false});
  EXPECT_EQ(only_row(chatml_encoder(endless).encode(row_of(PromptCompletion{"a", "b"}))).ids, bytes("ab"));
}

TEST(RowEncoder, CaseC03WhatIsTooLongIsCounted) {
  const Row long_prompt = row_of(PromptCompletion{std::string(40, 'p'), "1234"});  // with the end token 5 are learned
  const Row long_answer = row_of(PromptCompletion{std::string(10, 'p'), std::string(39, 'a')});
  EncodingOptions options;
  options.max_sequence_length = 32;
  const RowEncoder skipping = chatml_encoder(kToy, options);
  EXPECT_EQ(kinds_of(skipping.encode(long_prompt).findings), (std::vector{FindingKind::kTooLong}));
  EXPECT_TRUE(skipping.encode(long_answer).rows.empty());
  EXPECT_EQ(skipping.encode(long_prompt).full_length, 45);
  EXPECT_EQ(skipping.encode(long_prompt).findings[0].message, "is 45 tokens long, the limit is 32");

  options.too_long = TooLong::kTrimPrompt;
  const RowEncoder trimming = chatml_encoder(kToy, options);
  const EncodedRows trimmed = trimming.encode(long_prompt);
  EXPECT_EQ(only_row(trimmed).ids, joined({bytes(std::string(27, 'p') + "1234"), {kEnd}}));
  EXPECT_EQ(kinds_of(trimmed.findings), (std::vector{FindingKind::kPromptTrimmed}));
  EXPECT_EQ(kinds_of(trimming.encode(long_answer).findings), (std::vector{FindingKind::kTooLong}));

  options.too_long = TooLong::kCut;
  const RowEncoder cutting = chatml_encoder(kToy, options);
  const EncodedRows cut = cutting.encode(long_answer);
  EXPECT_EQ(only_row(cut).ids, bytes(std::string(10, 'p') + std::string(22, 'a')));
  EXPECT_EQ(kinds_of(cut.findings), (std::vector{FindingKind::kAnswerCut}));
  EXPECT_EQ(kinds_of(cutting.encode(long_prompt).findings), (std::vector{FindingKind::kTooLong}));
}

TEST(RowEncoder, DocumentsAreNeverLeftOutForTheirLength) {
  EncodingOptions options;
  options.max_sequence_length = 4;
  const EncodedRows encoded = chatml_encoder(kToy, options).encode(row_of(Document{"abcdefghij"}));
  ASSERT_EQ(encoded.rows.size(), 3u);
  EXPECT_EQ(encoded.rows[0].ids, bytes("abcd"));
  EXPECT_EQ(encoded.rows[1].ids, bytes("efgh"));
  EXPECT_EQ(encoded.rows[2].ids, joined({bytes("ij"), {kEnd}}));
  EXPECT_EQ(encoded.rows[1].labels, joined({none(1), bytes("fgh")}));
  EXPECT_EQ(encoded.rows[2].cut, Cut::kSplit);
  EXPECT_TRUE(encoded.findings.empty());
}

TEST(RowEncoder, CaseD01RowsWithoutALabelNeverReachTheLoss) {
  const RowEncoder encoder = chatml_encoder(kToy);
  const EncodedRows tokens = encoder.encode(row_of(TokenRow{{1, 2, 3}, {kNoLabel, kNoLabel, kNoLabel}}));
  EXPECT_TRUE(tokens.rows.empty());
  EXPECT_EQ(kinds_of(tokens.findings), (std::vector{FindingKind::kNoTarget}));
  EXPECT_TRUE(encoder.encode(row_of(TokenRow{})).rows.empty());
}

TEST(RowEncoder, ReadyMadeTokensStayAsTheyAre) {
  const RowEncoder encoder = chatml_encoder(kToy);
  const EncodedRow row = only_row(encoder.encode(row_of(TokenRow{{1, 2, 3}, {9, kNoLabel, 7}})));
  EXPECT_EQ(row.ids, (std::vector<Token>{1, 2, 3}));
  EXPECT_EQ(row.labels, (std::vector<Token>{kNoLabel, kNoLabel, 7}));
  EncodingOptions options;
  options.vocabulary_size = 100;
  const EncodedRows beyond = chatml_encoder(kToy, options).encode(row_of(TokenRow{{1, 100}, {kNoLabel, 2}}));
  EXPECT_EQ(kinds_of(beyond.findings), (std::vector{FindingKind::kBadRow}));
  EXPECT_EQ(beyond.findings[0].message, "token id 100 is beyond the model's vocabulary of 100");
}

TEST(RowEncoder, CaseB01ATemplatesRefusalIsAFindingOfItsRow) {
  const std::string source =
      "{% for m in messages %}{% if (m.role == 'user') != (loop.index0 % 2 == 0) %}{{ raise_exception('roles must "
      "alternate') }}{% endif %}{% generation %}{{ m.content }}{% endgeneration %}{% endfor %}";
  const RowEncoder encoder = encoder_with(kToy, ChatTemplate::parse(source, "test"));
  const EncodedRows encoded =
      encoder.encode(chat({message("user", "a"), message("user", "b"), message("assistant", "c")}));
  EXPECT_TRUE(encoded.rows.empty());
  ASSERT_EQ(kinds_of(encoded.findings), (std::vector{FindingKind::kTemplateRefused}));
  EXPECT_THAT(describe(encoded.findings[0]), StartsWith("data.jsonl:7: "));
  EXPECT_EQ(encoded.findings[0].source.row, 3);
  EXPECT_THAT(encoded.findings[0].message, HasSubstr("roles must alternate"));
}

TEST(RowEncoder, CaseB01TheChoiceForTwoTurnsOfOneSpeaker) {
  const Row row = chat({message("user", "a"), message("user", "b"), message("assistant", "c")});
  EncodingOptions options;
  options.consecutive_turns = ConsecutiveTurns::kMerge;
  EXPECT_EQ(only_row(chatml_encoder(kToy, options).encode(row)).ids,
            joined({turn("user", "a\n\nb"), turn("assistant", "c")}));
  options.consecutive_turns = ConsecutiveTurns::kSkip;
  const EncodedRows skipped = chatml_encoder(kToy, options).encode(row);
  EXPECT_TRUE(skipped.rows.empty());
  ASSERT_EQ(kinds_of(skipped.findings), (std::vector{FindingKind::kConsecutiveTurns}));
  EXPECT_EQ(skipped.findings[0].message, "messages 1 and 2 are both by user; the row is left out");
  options.consecutive_turns = ConsecutiveTurns::kStop;
  try {
    chatml_encoder(kToy, options).encode(row);
    FAIL() << "the row was taken";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), StartsWith("data.jsonl:7 (row 3): messages 1 and 2 are both by user. "));
  }
  EXPECT_EQ(only_row(chatml_encoder(kToy).encode(row)).ids,
            joined({turn("user", "a"), turn("user", "b"), turn("assistant", "c")}));
}

TEST(RowEncoder, WithoutATemplateThereIsThePlainForm) {
  const RowEncoder encoder = encoder_with(kToy, std::nullopt);
  EXPECT_TRUE(encoder.uses_plain_form());
  const EncodedRow row =
      only_row(encoder.encode(chat({message("system", "s"), message("user", "q"), message("assistant", "a"),
                                    message("user", "r"), message("assistant", "b")})));
  EXPECT_EQ(
      row.ids,
      joined(
          {bytes("System: s\nUser: q\nAssistant: a"), {kEnd}, bytes("\nUser: r\nAssistant: b"), {kEnd}, bytes("\n")}));
  EXPECT_EQ(row.label_count(), 6);  // a blank, the answer and the end, twice
}

TEST(RowEncoder, ThePlainFormEndsInALineEndWithoutAnEndToken) {
  const ToyTokenizer endless({.has_end = false});
  const EncodedRow row =
      only_row(encoder_with(endless, std::nullopt).encode(chat({message("user", "q"), message("assistant", "a")})));
  EXPECT_EQ(row.ids, bytes("User: q\nAssistant: a\n"));
  EXPECT_EQ(row.labels, joined({none(18), bytes(" a\n")}));
}

TEST(RowEncoder, AClassifiedTextIsATurnAndItsLabelTheAnswer) {
  const EncodedRow row = only_row(chatml_encoder(kToy).encode(row_of(Classification{"t", {"x", "y"}})));
  EXPECT_EQ(row.ids, joined({turn("user", "t"), turn("assistant", "x, y")}));
  EXPECT_EQ(row.label_count(), 5);
}

TEST(RowEncoder, PairsAndJudgedAnswersBelongToOtherMethods) {
  const RowEncoder encoder = chatml_encoder(kToy);
  EXPECT_THROW(encoder.encode(row_of(Preference{"p", "a", "b", {}})), Error);
  EXPECT_THROW(encoder.encode(row_of(Kto{"p", "a", true, {}})), Error);
}

TEST(RowEncoder, APairSharesItsPrompt) {
  std::vector<Finding> findings;
  EncodingOptions options;
  options.max_sequence_length = 8;
  options.too_long = TooLong::kTrimPrompt;
  const RowEncoder encoder = chatml_encoder(kToy, options);
  const auto pair = encoder.encode_pair(row_of(Preference{"pqrstuv", "ab", "c", {}}), findings);
  ASSERT_TRUE(pair);
  EXPECT_EQ(pair->chosen.ids, joined({bytes("rstuvab"), {kEnd}}));
  EXPECT_EQ(pair->rejected.ids, joined({bytes("rstuvc"), {kEnd}}));
  EXPECT_EQ(pair->chosen.labels, joined({none(5), bytes("ab"), {kEnd}}));
  EXPECT_EQ(kinds_of(findings), (std::vector{FindingKind::kPromptTrimmed}));
  findings.clear();
  EXPECT_FALSE(encoder.encode_pair(row_of(Preference{"p", "same", "same", {}}), findings));
  EXPECT_EQ(kinds_of(findings), (std::vector{FindingKind::kIdenticalPair}));
}

TEST(RowEncoder, APairOfMessagesLearnsOnlyItsAnswers) {
  std::vector<Finding> findings;
  using Messages = std::vector<Message>;
  const Messages prompt = {message("user", "a"), message("assistant", "b"), message("user", "c")};
  const auto pair = chatml_encoder(kToy).encode_pair(
      row_of(Preference{prompt, Messages{message("assistant", "good")}, Messages{message("assistant", "bad")}, {}}),
      findings);
  ASSERT_TRUE(pair);
  EXPECT_EQ(pair->chosen.label_count(), 5);
  EXPECT_EQ(pair->rejected.label_count(), 4);
}

TEST(RowEncoder, AModelWithoutATokenizerLearnsFromReadyMadeTokens) {
  const std::unique_ptr<Tokenizer> ids_only = make_id_tokenizer(100, "DIR: holds no tokenizer. Copy it there.");
  const RowEncoder encoder = encoder_with(*ids_only, std::nullopt);
  const EncodedRow row = only_row(encoder.encode(row_of(TokenRow{{1, 2, 3}, {1, 2, 3}})));
  EXPECT_EQ(row.ids, (std::vector<Token>{1, 2, 3}));
  EXPECT_EQ(row.labels, (std::vector<Token>{kNoLabel, 2, 3}));
  for (const Row& text :
       {row_of(Document{"a"}), row_of(PromptCompletion{"a", "b"}), chat({message("assistant", "a")})}) {
    try {
      encoder.encode(text);
      FAIL() << "a text was encoded without a tokenizer";
    } catch (const Error& error) {
      EXPECT_STREQ(error.what(), "DIR: holds no tokenizer. Copy it there.");
    }
  }
}

TEST(RowEncoder, TheKeyKnowsWhatChangesTokens) {
  const std::string key = chatml_encoder(kToy).content_key();
  EXPECT_EQ(key, chatml_encoder(kToy).content_key());
  EncodingOptions options;
  options.max_sequence_length = 100;
  EXPECT_NE(key, chatml_encoder(kToy, options).content_key());
  options = {};
  options.train_on = TrainOn::kLastAnswer;
  EXPECT_NE(key, chatml_encoder(kToy, options).content_key());
  options = {};
  options.empty_answers = EmptyAnswers::kSkip;
  EXPECT_NE(key, chatml_encoder(kToy, options).content_key());
  options = {};
  options.consecutive_turns = ConsecutiveTurns::kMerge;
  EXPECT_NE(key, chatml_encoder(kToy, options).content_key());
  EXPECT_NE(key, encoder_with(kToy, std::nullopt).content_key());
}

}  // namespace
}  // namespace anneal::datasets::tests
