// Real tokenizers and templates on real rows.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "datasets/encoding/dataset_encoding.h"
#include "datasets/templates/chat_template_files.h"
#include "datasets/tokenizers/loading.h"
#include "tests/support/shared_data.h"

namespace anneal::datasets::tests {
namespace {

struct Model {
  std::unique_ptr<Tokenizer> tokenizer;
  std::unique_ptr<RowEncoder> encoder;
};

Model load_model(const std::string& folder, EncodingOptions options = {}) {
  const std::string path = (anneal::tests::shared_data() / folder).string();
  Model model;
  model.tokenizer = load_tokenizer(path);
  RowEncoder::Parts parts{*model.tokenizer, {}, {}, load_special_tokens(path)};
  if (std::optional<ChatTemplateFiles> files = load_chat_template(path)) parts.chat_template = files->chat_template;
  model.encoder = std::make_unique<RowEncoder>(std::move(parts), std::move(options));
  return model;
}

std::string learned_text(const EncodedRow& row, const Tokenizer& tokenizer) {
  std::vector<Token> ids;
  for (const Token label : row.labels) {
    if (label != kNoLabel) ids.push_back(label);
  }
  return tokenizer.decode(ids, {.skip_special_tokens = false, .clean_up = false});
}

Message message(const std::string& role, const std::string& content) {
  Message made;
  made.role = role;
  made.content = content;
  return made;
}

int64_t occurrences(const std::string& text, const std::string& part) {
  int64_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(RealModels, PromptAndCompletionJoinExactly) {
  for (const char* folder : {"tokenizers/gpt2", "tokenizers/llama2", "tokenizers/qwen3", "models/stories260K/hf"}) {
    ANNEAL_NEEDS_SHARED_DATA(folder);
    const Model model = load_model(folder);
    for (const auto& [prompt, completion] : std::vector<std::pair<std::string, std::string>>{{"Once upon", " a time"},
                                                                                             {"a ", "b"},
                                                                                             {"a", "b"},
                                                                                             {"x\n", "\n\ny"},
                                                                                             {"", "start"},
                                                                                             {"caf", "\xC3\xA9!"}}) {
      const EncodedRow row = model.encoder->encode_whole(Row{{}, PromptCompletion{prompt, completion}});
      const Tokenizer& tokenizer = *model.tokenizer;
      EXPECT_EQ(tokenizer.decode(row.ids, {.skip_special_tokens = true, .clean_up = false}), prompt + completion)
          << folder;
      EXPECT_EQ(row.ids.back(), *tokenizer.eos()) << folder;
      EXPECT_EQ(row.labels.back(), *tokenizer.eos()) << folder;
      EXPECT_EQ(std::count(row.ids.begin(), row.ids.end(), *tokenizer.eos()), 1) << folder;
    }
  }
}

TEST(RealModels, Qwen3LearnsAnswersThroughTheirEnd) {
  ANNEAL_NEEDS_SHARED_DATA("tokenizers/qwen3");
  const Model model = load_model("tokenizers/qwen3");
  const Row row{{}, Conversation{{message("user", "Good morning"), message("assistant", "Hello there.")}, {}, Json::object()}};
  const EncodedRows encoded = model.encoder->encode(row);
  ASSERT_EQ(encoded.rows.size(), 1u);
  const std::string learned = learned_text(encoded.rows[0], *model.tokenizer);
  EXPECT_THAT(learned, testing::EndsWith("Hello there.<|im_end|>"));
  EXPECT_THAT(learned, testing::Not(testing::HasSubstr("morning")));
}

TEST(RealModels, CaseB09OneThinkBlockOnceTheMarkupIsMoved) {
  ANNEAL_NEEDS_SHARED_DATA("tokenizers/qwen3");
  EncodingOptions options;
  options.move_think_markup = true;
  const Model model = load_model("tokenizers/qwen3", options);
  const Row row{
      {},
      Conversation{{message("user", "hi"), message("assistant", "reason\n</think>\n\nanswer")}, {}, Json::object()}};
  const EncodedRow encoded = model.encoder->encode_whole(row);
  const std::string text = model.tokenizer->decode(encoded.ids, {.skip_special_tokens = false, .clean_up = false});
  EXPECT_EQ(occurrences(text, "<think>"), 1);
  EXPECT_EQ(occurrences(text, "</think>"), 1);
  EXPECT_THAT(text, testing::HasSubstr("<think>\nreason\n</think>\n\nanswer<|im_end|>"));
}

TEST(RealModels, RealDataSetsAreUsable) {
  ANNEAL_NEEDS_SHARED_DATA("tokenizers/qwen3");
  ANNEAL_NEEDS_SHARED_DATA("datasets");
  const Model model = load_model("tokenizers/qwen3");
  struct Known {
    const char* file;
    int64_t used;
  };
  for (const Known& known : {Known{"alpaca_identity.json", 91}, Known{"gsm8k_eval_100.jsonl", 100},
                             Known{"openai_tool_calls.jsonl", 103}, Known{"sharegpt_tools_40.json", 40}}) {
    const std::string path = (anneal::tests::shared_data() / "datasets" / known.file).string();
    int64_t rows = 0;
    const EncodingReport report = encode_dataset({path}, {}, *model.encoder, 2, [&](EncodedRow&& row, const Source&) {
      ++rows;
      EXPECT_GT(row.label_count(), 0);
      EXPECT_EQ(row.labels.size(), row.ids.size());
    });
    EXPECT_EQ(report.rows_used, known.used) << known.file;
    EXPECT_EQ(rows, known.used) << known.file;
  }
}

TEST(RealModels, TinyShakespeareLosesNoToken) {
  ANNEAL_NEEDS_SHARED_DATA("models/stories260K/hf");
  ANNEAL_NEEDS_SHARED_DATA("datasets/tinyshakespeare.txt");
  EncodingOptions options;
  options.max_sequence_length = 512;
  const Model model = load_model("models/stories260K/hf", options);
  const std::string path = (anneal::tests::shared_data() / "datasets/tinyshakespeare.txt").string();
  std::vector<Token> all;
  ReadOptions reading;
  const EncodingReport report =
      encode_dataset({path}, reading, *model.encoder, 1, [&](EncodedRow&& row, const Source&) {
        EXPECT_LE(row.size(), 512);
        all.insert(all.end(), row.ids.begin(), row.ids.end());
      });
  std::string text;
  for_each_row({path}, reading, [&](Row&& row) { text = std::get<Document>(row.content).text; });
  EXPECT_EQ(model.tokenizer->decode(all, {.skip_special_tokens = true, .clean_up = false}), text);
  EXPECT_EQ(report.rows_used, 1);
  EXPECT_EQ(all.back(), *model.tokenizer->eos());
}

}  // namespace
}  // namespace anneal::datasets::tests
