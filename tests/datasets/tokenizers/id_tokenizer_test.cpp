#include "datasets/tokenizers/id_tokenizer.h"

#include <gtest/gtest.h>

#include "tests/datasets/tokenizers/tiny_tokenizer.h"
#include "tests/support/temporary_folder.h"

namespace anneal::datasets::tests {
namespace {

TEST(IdTokenizer, ShowsIdsAndReadsNoText) {
  const auto tokenizer = make_id_tokenizer(512, "DIR: holds no tokenizer. Copy it there.");
  EXPECT_FALSE(tokenizer->reads_text());
  EXPECT_EQ(tokenizer->vocabulary_size(), 512);
  EXPECT_EQ(tokenizer->decode(Ids{1, 511}), "[1][511]");
  try {
    tokenizer->encode("a");
    FAIL() << "a text was encoded";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    EXPECT_STREQ(error.what(), "DIR: holds no tokenizer. Copy it there.");
  }
}

TEST(IdTokenizer, IsForFoldersWithoutAnyVocabularyAndNotForBrokenOnes) {
  const anneal::tests::TemporaryFolder folder;
  folder.write("tokenizer_config.json", "{}");
  EXPECT_FALSE(has_vocabulary(read_tokenizer_files(folder.path().string())));
  folder.write("vocab.json", "{}");
  EXPECT_TRUE(has_vocabulary(read_tokenizer_files(folder.path().string())));
  EXPECT_THROW(load_tokenizer(folder.path().string()), Error);
}

}  // namespace
}  // namespace anneal::datasets::tests
