// Three published tokenizers, 88 texts: ids and decoded texts as their own libraries give them.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "kernels/core/json.h"
#include "tests/datasets/tokenizers/tiny_tokenizer.h"
#include "tests/support/shared_data.h"
#include "tests/support/temporary_folder.h"

namespace anneal::datasets {
namespace {

void check_golden(const std::string& name, const Tokenizer& tokenizer) {
  std::ifstream file(anneal::tests::shared_data() / "golden/tokenization.jsonl");
  int checked = 0;
  for (std::string line; std::getline(file, line);) {
    const Json row = parse_json(line, "tokenization.jsonl");
    if (row["tokenizer"] != name) continue;
    SCOPED_TRACE(row["case"].get<std::string>());
    const auto ids = row["ids"].get<std::vector<Token>>();
    const auto text = row["text"].get<std::string>();
    const Encoding encoding = tokenizer.encode(text);
    EXPECT_EQ(encoding.ids, ids);
    EXPECT_EQ(tokenizer.decode(ids), row["decoded"].get<std::string>());
    // Every byte belongs to a token, in order.
    std::size_t covered = 0;
    for (const Span& span : encoding.offsets) {
      EXPECT_LE(span.begin, covered);
      covered = std::max(covered, span.end);
    }
    EXPECT_EQ(covered, text.size());
    ++checked;
  }
  EXPECT_GE(checked, 25);
}

std::unique_ptr<Tokenizer> load(const std::string& name) {
  return load_tokenizer((anneal::tests::shared_data() / "tokenizers" / name).string());
}

TEST(GoldenTokenization, Gpt2) {
  ANNEAL_NEEDS_SHARED_DATA("tokenizers/gpt2");
  check_golden("gpt2", *load("gpt2"));
}

TEST(GoldenTokenization, Gpt2FromVocabularyAndMerges) {
  ANNEAL_NEEDS_SHARED_DATA("tokenizers/gpt2");
  const anneal::tests::TemporaryFolder folder;
  for (const char* name : {"vocab.json", "merges.txt", "tokenizer_config.json"}) {
    std::filesystem::copy_file(anneal::tests::shared_data() / "tokenizers/gpt2" / name, folder.path() / name);
  }
  const auto tokenizer = load_tokenizer(folder.path().string());
  check_golden("gpt2", *tokenizer);
  EXPECT_EQ(tokenizer->eos(), 50256);
  EXPECT_TRUE(tokenizer->is_special(50256));
  EXPECT_EQ(tokenizer->vocabulary_size(), 50257);
}

TEST(GoldenTokenization, Qwen3) {
  ANNEAL_NEEDS_SHARED_DATA("tokenizers/qwen3");
  const auto tokenizer = load("qwen3");
  check_golden("qwen3", *tokenizer);
  EXPECT_EQ(tokenizer->eos(), tokenizer->id_of("<|im_end|>"));
  EXPECT_EQ(tokenizer->pad(), tokenizer->id_of("<|endoftext|>"));
  EXPECT_FALSE(tokenizer->adds_bos());
}

TEST(GoldenTokenization, Llama2FromALoneSentencePieceModel) {
  ANNEAL_NEEDS_SHARED_DATA("tokenizers/llama2");
  const auto tokenizer = load("llama2");
  check_golden("llama2", *tokenizer);
  EXPECT_TRUE(tokenizer->adds_bos());
  EXPECT_FALSE(tokenizer->adds_eos());
  EXPECT_EQ(tokenizer->vocabulary_size(), 32000);
}

TEST(GoldenTokenization, GreedyStoryReadsBack) {
  ANNEAL_NEEDS_SHARED_DATA("models/stories260K/hf/tokenizer.json");
  const auto folder = anneal::tests::shared_data() / "models/stories260K";
  const auto tokenizer = load_tokenizer((folder / "hf").string());
  std::ifstream file(folder / "expected_greedy_200.txt");
  const std::string story((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  const Encoding encoding = tokenizer->encode(story);
  EXPECT_EQ(encoding.ids.front(), 1);
  EXPECT_EQ(tokenizer->decode(encoding.ids, {.skip_special_tokens = true}), story);
}

}  // namespace
}  // namespace anneal::datasets
