// Files that are damaged or hostile end in one sentence that names the place.

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <random>

#include "tests/datasets/tokenizers/tiny_tokenizer.h"
#include "tests/support/temporary_folder.h"

namespace anneal::datasets {
namespace {

using tests::refusal;

std::string refused_json(const std::string& json, const std::string& config = "") {
  return refusal(tests::json_files(json, config));
}
std::string refused_model(const std::string& members) { return refused_json(R"({"model":{)" + members + "}}"); }
// A part of a tokenizer whose model is in order.
std::string refused_part(const std::string& part) {
  return refused_json("{" + part + R"(,"model":{"type":"BPE","vocab":{"a":0},"merges":[]}})");
}

TEST(BadTokenizerFiles, TheTinyFrameIsAccepted) { EXPECT_EQ(refused_part(R"("normalizer":null)"), "accepted"); }

TEST(BadTokenizerFiles, CutFileNamesItsPlace) {
  EXPECT_TRUE(refused_json(R"({"model":{"type":"BPE")").starts_with("DIR/tokenizer.json:1:")) << refused_json("{");
  EXPECT_TRUE(refused_json("").starts_with("DIR/tokenizer.json:1:1: "));
  EXPECT_EQ(refused_json("[]"), "DIR/tokenizer.json: is no object. Get another copy of the file.");
  EXPECT_EQ(refused_json("{}"), "DIR/tokenizer.json: model: is missing. Get a complete copy of the file.");
}

TEST(BadTokenizerFiles, EveryCutOfAGoodFileIsRefused) {
  const std::string good =
      R"({"version":"1.0","added_tokens":[{"id":1,"content":"<s>","special":true}],"normalizer":{"type":"NFC"},)"
      R"("pre_tokenizer":{"type":"ByteLevel"},"model":{"type":"BPE","vocab":{"a":0,"b":2,"ab":3},"merges":["a b"]}})";
  EXPECT_EQ(refused_json(good), "accepted");
  for (std::size_t size = 0; size < good.size(); ++size)
    EXPECT_NE(refused_json(good.substr(0, size)), "accepted") << size;
}

TEST(BadTokenizerFiles, IdsThatStandTwiceAreNamed) {
  EXPECT_EQ(refused_model(R"("type":"BPE","merges":[],"vocab":{"a":3,"b":3})"),
            "DIR/tokenizer.json: model: \"a\" and \"b\" both have the id 3. Get another copy of the file.");
  EXPECT_NE(
      refused_part(R"("added_tokens":[{"id":1,"content":"x"},{"id":1,"content":"y"}])").find("both have the id 1"),
      std::string::npos);
}

TEST(BadTokenizerFiles, IdsThatAreNoneAreNamed) {
  for (const char* id : {"-1", "4294967296", "1e3", "1.5", "\"1\"", "null", "4194304"}) {
    const std::string sentence =
        refused_model(R"("type":"WordLevel","unk_token":"a","vocab":{"a":)" + std::string(id) + "}");
    EXPECT_NE(sentence.find("the id of \"a\" is"), std::string::npos) << id << ": " << sentence;
  }
  EXPECT_NE(refused_part(R"("added_tokens":[{"id":9999999999,"content":"x"}])"), "accepted");
  EXPECT_NE(refused_part(R"("added_tokens":[{"content":"x"}])"), "accepted");
  EXPECT_NE(refused_part(R"("added_tokens":[{"id":1,"content":")" + std::string(5000, 'x') + "\"}]"), "accepted");
}

TEST(BadTokenizerFiles, MergesMustFitTheVocabulary) {
  EXPECT_EQ(
      refused_model(R"("type":"BPE","vocab":{"a":0,"b":1},"merges":["a b"])"),
      "DIR/tokenizer.json: model: merge 0 (\"a\" with \"b\") needs \"ab\", which is not in the vocabulary. Get another "
      "copy of the file.");
  EXPECT_NE(refused_model(R"("type":"BPE","vocab":{"a":0},"merges":["a"])"), "accepted");
  EXPECT_NE(refused_model(R"("type":"BPE","vocab":{"a":0},"merges":[["a"]])"), "accepted");
  EXPECT_NE(refused_model(R"("type":"BPE","vocab":{"a":0},"merges":[7])"), "accepted");
  EXPECT_NE(refused_model(R"("type":"BPE","vocab":{"a":0},"merges":{})"), "accepted");
  EXPECT_NE(refused_model(R"("type":"BPE","vocab":{"a":0})"), "accepted");
  EXPECT_NE(refused_model(R"("type":"BPE","continuing_subword_prefix":"##","vocab":{"a":0,"aa":1},"merges":["a a"])"),
            "accepted");
}

TEST(BadTokenizerFiles, UnigramEntriesMustBeTextsWithScores) {
  EXPECT_NE(refused_model(R"("type":"Unigram","vocab":[["a"]])"), "accepted");
  EXPECT_NE(refused_model(R"("type":"Unigram","vocab":[["a","b"]])"), "accepted");
  EXPECT_NE(refused_model(R"("type":"Unigram","vocab":{"a":1})"), "accepted");
  EXPECT_NE(refused_model(R"("type":"Unigram","unk_id":1,"vocab":[["a",0]])"), "accepted");
  const auto tokenizer = tests::from_json(R"({"model":{"type":"Unigram","vocab":[["a",0]]}})");
  EXPECT_THROW(tokenizer->encode("b"), Error);
}

TEST(BadTokenizerFiles, UnknownKindsNameTheNearest) {
  EXPECT_EQ(refused_part(R"("normalizer":{"type":"NFX"})"),
            "DIR/tokenizer.json: normalizer: the type \"NFX\" is unknown. Did you mean \"NFC\"?");
  EXPECT_NE(refused_part(R"("normalizer":{"type":7})"), "accepted");
  EXPECT_NE(refused_part(R"("normalizer":[])"), "accepted");
  EXPECT_NE(refused_part(R"("pre_tokenizer":{"type":"Spilt"})").find("Did you mean \"Split\"?"), std::string::npos);
  EXPECT_NE(
      refused_part(R"("pre_tokenizer":{"type":"Sequence","pretokenizers":[{"type":"X"}]})").find("pre_tokenizer[0]"),
      std::string::npos);
  EXPECT_NE(refused_part(R"("decoder":{"type":"Bytes"})"), "accepted");
  EXPECT_NE(refused_part(R"("post_processor":{"type":"Bytes"})"), "accepted");
  EXPECT_NE(refused_model(R"("type":"LSTM","vocab":{})"), "accepted");
  EXPECT_NE(refused_json(R"({"version":"2.0","model":{}})").find("version"), std::string::npos);
}

TEST(BadTokenizerFiles, OptionsOfAWrongKindAreRefused) {
  for (
      const char* part :
      {R"("pre_tokenizer":{"type":"Split","pattern":"x","behavior":"Isolated","invert":false})",
       R"("pre_tokenizer":{"type":"Split","pattern":{"String":7},"behavior":"Isolated","invert":false})",
       R"("pre_tokenizer":{"type":"Split","pattern":{"String":"x"},"behavior":"Glued","invert":false})",
       R"("pre_tokenizer":{"type":"Split","pattern":{"String":"x"},"behavior":"Isolated"})",
       R"("pre_tokenizer":{"type":"Metaspace","replacement":"ab"})",
       R"("pre_tokenizer":{"type":"Metaspace","replacement":""})",
       R"("pre_tokenizer":{"type":"Metaspace","replacement":"_","prepend_scheme":"often"})",
       R"("pre_tokenizer":{"type":"Metaspace","replacement":"_","prepend_scheme":"always","add_prefix_space":false})",
       R"("pre_tokenizer":{"type":"FixedLength","length":0})",
       R"("pre_tokenizer":{"type":"Digits"})",
       R"("pre_tokenizer":{"type":"CharDelimiterSplit","delimiter":"ab"})",
       R"("pre_tokenizer":{"type":"Sequence"})",
       R"("normalizer":{"type":"Prepend"})",
       R"("normalizer":{"type":"Precompiled","precompiled_charsmap":"!"})",
       R"("normalizer":{"type":"Precompiled","precompiled_charsmap":"/////w=="})",
       R"("normalizer":{"type":"BertNormalizer","lowercase":"yes"})",
       R"("decoder":{"type":"Strip","content":" ","start":-1,"stop":0})",
       R"("decoder":{"type":"WordPiece"})",
       R"("post_processor":{"type":"TemplateProcessing","single":[],"special_tokens":{}})",
       R"("post_processor":{"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"<s>"}},{"Sequence":{"id":"A"}}],
           "special_tokens":{}})",
       R"("post_processor":{"type":"TemplateProcessing","single":[{"Sequence":{"id":"B"}}],"special_tokens":{}})",
       R"("post_processor":{"type":"BertProcessing","cls":["[CLS]"],"sep":["[SEP]",1]})"}) {
    const std::string sentence = refused_part(part);
    EXPECT_TRUE(sentence.starts_with("DIR/tokenizer.json: ")) << part << ": " << sentence;
    EXPECT_EQ(sentence.find('\n'), std::string::npos);
  }
}

TEST(BadTokenizerFiles, DeepNestingIsRefused) {
  std::string part = R"({"type":"NFC"})";
  for (int i = 0; i < 600; ++i) part = R"({"type":"Sequence","normalizers":[)" + part + "]}";
  EXPECT_NE(refused_part("\"normalizer\":" + part), "accepted");
}

TEST(BadTokenizerFiles, PatternsThatAreWrongAreRefused) {
  const auto refused_pattern = [](const std::string& pattern) {
    return refused_part(R"("pre_tokenizer":{"type":"Split","behavior":"Isolated","invert":false,"pattern":{"Regex":")" +
                        pattern + "\"}}");
  };
  EXPECT_EQ(refused_pattern("a+"), "accepted");
  for (const char* pattern : {"(", ")", "[a", "[b-a]", "*a", "a{2,1000000}", R"(\\p{Nonsense})", R"(\\p{)", "(?~a)",
                              "(?W)a", R"(\\y)", R"(\\xFF)", R"(\\x{110000})", R"(\\x{D800})", "(?<n", R"(a\\)",
                              "(?<=a+)b", R"((((((((((a{1000}){1000}){1000}){1000}))))))"}) {
    const std::string sentence = refused_pattern(pattern);
    EXPECT_TRUE(sentence.starts_with("DIR/tokenizer.json: pre_tokenizer: the regular expression "))
        << pattern << ": " << sentence;
  }
  EXPECT_NE(refused_pattern(std::string(1000, '(')), "accepted");
  EXPECT_NE(refused_pattern(std::string(1000, '[')), "accepted");
  EXPECT_NE(refused_pattern(std::string(100000, 'a')), "accepted");
}

TEST(BadTokenizerFiles, APatternThatNeverEndsIsStopped) {
  const auto tokenizer = tests::from_json(
      R"({"pre_tokenizer":{"type":"Split","behavior":"Isolated","invert":false,"pattern":{"Regex":"(x+x+)+[yz]"}},
      "model":{"type":"WordLevel","unk_token":"a","vocab":{"a":0}}})");
  EXPECT_EQ(tokenizer->encode("xxy").ids.size(), 1u);
  try {
    tokenizer->encode(std::string(5000, 'x'));
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("does not come to an end"), std::string::npos) << error.what();
  }
}

TEST(BadTokenizerFiles, ANormalizerThatInflatesTextsIsStopped) {
  const auto tokenizer = tests::from_json(R"({"normalizer":{"type":"Replace","pattern":{"Regex":"."},"content":")" +
                                          std::string(100000, 'x') +
                                          R"("},"model":{"type":"WordLevel","unk_token":"a","vocab":{"a":0}}})");
  EXPECT_THROW(tokenizer->encode(std::string(100000, 'a')), Error);
}

TEST(BadTokenizerFiles, OtherFilesAreNamedToo) {
  const std::string good = R"({"model":{"type":"BPE","vocab":{"a":0},"merges":[]}})";
  EXPECT_TRUE(refused_json(good, "{").starts_with("DIR/tokenizer_config.json:1:"));
  EXPECT_TRUE(refused_json(good, R"({"bos_token":7})").starts_with("DIR/tokenizer_config.json: \"bos_token\" is 7"));
  EXPECT_NE(refused_json(good, R"({"add_bos_token":"yes"})"), "accepted");
  EXPECT_NE(refused_json(good, R"({"added_tokens_decoder":{"x":{"content":"a"}}})"), "accepted");
  EXPECT_NE(refused_json(good, R"({"added_tokens_decoder":[]})"), "accepted");
  TokenizerFiles files = tests::json_files(good);
  files.added_tokens_json = R"({"x":"1"})";
  EXPECT_TRUE(refusal(files).starts_with("DIR/added_tokens.json: the id of \"x\" is \"1\"")) << refusal(files);
  files = {.where = "DIR"};
  files.vocab_json = R"({"a":0})";
  files.merges_txt = "#version: 0.2\na a a\n";
  EXPECT_NE(refusal(files).find("merge 0 is \"a a a\""), std::string::npos) << refusal(files);
  files.merges_txt = "";
  files.tokenizer_config_json = R"({"tokenizer_class":"LukeTokenizer"})";
  EXPECT_NE(refusal(files).find("tokenizer.json"), std::string::npos);
}

TEST(BadTokenizerFiles, FoldersWithoutAVocabularyAreRefused) {
  const anneal::tests::TemporaryFolder folder;
  EXPECT_THROW(load_tokenizer((folder.path() / "absent").string()), Error);
  EXPECT_THROW(load_tokenizer(folder.path().string()), Error);
  folder.write("vocab.json", "{}");
  EXPECT_THROW(load_tokenizer(folder.path().string()), Error);
  folder.write("tokenizer.json", "version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 5\n");
  try {
    load_tokenizer(folder.path().string());
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("git-lfs pointer"), std::string::npos);
  }
}

std::string model_bytes(const std::string& name) {
  std::ifstream file(std::string(ANNEAL_FIXTURES) + "/tokenizers/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::string refused_bytes(const std::string& bytes) {
  TokenizerFiles files{.where = "DIR"};
  files.tokenizer_model = bytes;
  return refusal(files);
}

TEST(BadTokenizerFiles, SentencePieceModelsThatAreNoneAreRefused) {
  EXPECT_EQ(refused_bytes(""),
            "DIR/tokenizer.model: holds no pieces, so it is no SentencePiece model. Get a complete copy of the file.");
  EXPECT_TRUE(refused_bytes("<!DOCTYPE html><html></html>").starts_with("DIR/tokenizer.model: "));
  const std::string good = model_bytes("tiny_bpe.model");
  EXPECT_EQ(refused_bytes(good), "accepted");
  EXPECT_NE(refused_bytes(good.substr(0, good.size() / 2)), "accepted");
}

// Whatever a byte is changed to, the model is refused or works; it never breaks off.
TEST(BadTokenizerFiles, DamagedSentencePieceModelsNeverBreakOff) {
  for (const char* name : {"tiny_bpe.model", "tiny_unigram.model"}) {
    const std::string good = model_bytes(name);
    std::mt19937 random(7);
    for (int round = 0; round < 60; ++round) {
      std::string bytes = good;
      // The end holds the map of characters and the options.
      const std::size_t from = round % 2 == 0 ? 0 : bytes.size() - bytes.size() / 4;
      for (int i = 0; i < 3; ++i) bytes[from + random() % (bytes.size() - from)] = static_cast<char>(random());
      TokenizerFiles files{.where = "DIR"};
      files.tokenizer_model = bytes;
      try {
        const auto tokenizer = make_tokenizer(files);
        const Encoding encoding =
            tokenizer->encode("Hello w\xC3\xB6rld \xEF\xAC\x81 <s>", {.parse_special_tokens = true});
        EXPECT_EQ(encoding.ids.size(), encoding.offsets.size());
        tokenizer->decode(encoding.ids);
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::kInput) << error.what();
      }
    }
  }
}

}  // namespace
}  // namespace anneal::datasets
