// The worst inputs: each ends with one clear sentence and status 1, and nothing is made.

#include <sys/stat.h>

#include <cmath>
#include <limits>

#include "engine/files/safetensors.h"
#include "tests/end_to_end/small_world.h"

namespace anneal::tests {
namespace {

class BadInput : public SmallWorld {
 protected:
  // One sentence per problem on standard error, nothing on standard output, the person can mend it.
  void expect_refused(const std::vector<std::string>& words, const std::vector<std::string>& parts) {
    const Finished finished = anneal.run(words);
    EXPECT_EQ(finished.status, 1) << finished.out << finished.err;
    EXPECT_FALSE(finished.err.empty());
    EXPECT_LE(std::count(finished.err.begin(), finished.err.end(), '\n'), 3) << finished.err;
    for (const std::string& part : parts)
      EXPECT_NE(finished.err.find(part), std::string::npos) << "\"" << part << "\" is not in: " << finished.err;
    EXPECT_FALSE(std::filesystem::exists(path("run"))) << "a run was made";
  }
  std::vector<std::string> train_on(const std::string& data) const {
    return {"train", "--model", path("model"), "--data", data, "--out", path("run"), "--json"};
  }
};

TEST_F(BadInput, AnEmptyDataFile) { expect_refused(train_on(folder.write("empty.jsonl", "")), {"empty.jsonl"}); }
TEST_F(BadInput, ADataFileThatIsNotThere) { expect_refused(train_on(path("nothing.jsonl")), {"nothing.jsonl"}); }
TEST_F(BadInput, AllThatIsWrongIsSaidAtOnce) {
  const std::string broken = folder.write("broken.jsonl", "{\"prompt\":\"a\",}\n");
  expect_refused({"train", "--model", path("no-model"), "--data", broken, "--eval", path("no-data.jsonl"), "--out",
                  path("run"), "--json"},
                 {"no-model", "broken.jsonl:1", "no-data.jsonl"});
  expect_refused(
      {"train", "--model", path("model"), "--data", broken, "--out", path("run"), "--target-modules", "knee", "--json"},
      {"broken.jsonl:1", "\"knee\""});
}
TEST_F(BadInput, ABrokenLineNamesFileAndLine) {
  expect_refused(
      train_on(folder.write("broken.jsonl", "{\"prompt\":\"a\",\"completion\":\"b\"}\n{\"prompt\":\"a\",}\n")),
      {"broken.jsonl:2"});
}
TEST_F(BadInput, AKeyThatStandsTwice) {
  expect_refused(train_on(folder.write("twice.jsonl", "{\"prompt\":\"a\",\"prompt\":\"b\",\"completion\":\"c\"}\n")),
                 {"twice.jsonl:1", "prompt"});
}
TEST_F(BadInput, AModelWithNaNWeights) {
  using namespace engine;
  const std::string file = path("model/model.safetensors");
  std::vector<TensorSpec> specs;
  std::vector<std::vector<char>> bytes;
  {
    const SafetensorsFile old = SafetensorsFile::open(file);
    for (const TensorEntry& entry : old.entries()) {
      specs.push_back({entry.name, entry.dtype, entry.shape});
      const char* data = reinterpret_cast<const char*>(entry.data);
      bytes.emplace_back(data, data + entry.bytes);
    }
  }
  const float nan = std::numeric_limits<float>::quiet_NaN();
  std::memcpy(bytes[1].data() + 8, &nan, 4);
  SafetensorsWriter writer(file, specs);
  for (std::size_t i = 0; i < specs.size(); ++i)
    writer.write(specs[i].name, bytes[i].data(), static_cast<int64_t>(bytes[i].size()));
  writer.finish();
  const Finished finished = anneal.run(train_on(path("rows.jsonl")));
  EXPECT_EQ(finished.status, 1);
  EXPECT_NE(finished.err.find(specs[1].name), std::string::npos) << finished.err;
  EXPECT_NE(finished.err.find("NaN"), std::string::npos) << finished.err;
}
TEST_F(BadInput, AWeightFileThatIsAGitLfsPointer) {
  folder.write("model/model.safetensors", "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 123\n");
  expect_refused(train_on(path("rows.jsonl")), {"git-lfs"});
}
TEST_F(BadInput, AVocabularyOfOne) {
  const Finished made = anneal.run({"model", "new", "--out", path("one"), "--vocab-size", "1", "--json"});
  EXPECT_EQ(made.status, 1) << made.out;
  EXPECT_FALSE(made.err.empty());
}
TEST_F(BadInput, TokenIdsBeyondTheVocabulary) {
  expect_refused({"logits", "--model", path("model"), "--ids", "1,2,999999"}, {"999999"});
  expect_refused(train_on(folder.write("ids.jsonl", "{\"input_ids\":[1,999999,3],\"labels\":[1,2,3]}\n")),
                 {"ids.jsonl"});
}
TEST_F(BadInput, AnUnknownSettingNamesTheNearest) {
  expect_refused({"train", "--model", path("model"), "--data", path("rows.jsonl"), "--out", path("run"), "--set",
                  "learnig_rate=1"},
                 {"learnig_rate", "learning_rate"});
  expect_refused(
      {"train", "--model", path("model"), "--data", path("rows.jsonl"), "--out", path("run"), "--use-dora", "true"},
      {"use_dora", "not available"});
}
TEST_F(BadInput, AModelFolderWithoutReadPermission) {
  if (getuid() == 0) {
    // Root may read everything, so another user looks.
    ASSERT_EQ(chmod(path("model/config.json").c_str(), 0600), 0);
    chmod(folder.path().c_str(), 0755);
    chmod(path("model").c_str(), 0755);
    const pid_t child = fork();
    if (child == 0) {
      if (setgid(65534) != 0 || setuid(65534) != 0) _exit(99);
      const int out = open("/dev/null", O_WRONLY);
      dup2(out, 1);
      const std::string error = "/tmp/anneal_permission_" + std::to_string(getpid());
      dup2(open(error.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644), 2);
      setenv("ANNEAL_HOME", "/tmp", 1);
      execl(ANNEAL_PROGRAM, ANNEAL_PROGRAM, "model", "inspect", path("model").c_str(), nullptr);
      _exit(98);
    }
    int status = 0;
    waitpid(child, &status, 0);
    const std::string error = "/tmp/anneal_permission_" + std::to_string(child);
    std::ifstream stream(error);
    const std::string text((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
    std::filesystem::remove(error);
    if (WEXITSTATUS(status) == 98) GTEST_SKIP() << "another user cannot reach the program's folder";
    EXPECT_EQ(WEXITSTATUS(status), 1) << text;
    EXPECT_NE(text.find("config.json"), std::string::npos) << text;
    return;
  }
  chmod(path("model/config.json").c_str(), 0);
  expect_refused({"model", "inspect", path("model")}, {"config.json", "ermission"});
}
TEST_F(BadInput, AVeryLongLineIsRefusedWithoutItsMemory) {
  // Sparse: two gigabytes without a line end, none of them on the disk.
  const std::string file = folder.write("long.jsonl", "{\"text\":\"");
  std::filesystem::resize_file(file, std::uintmax_t{2} << 30);
  expect_refused(train_on(file), {"long.jsonl"});
}
TEST_F(BadInput, AWrongCommandLineIsStatusTwo) {
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"trian"}, {"train", "--modle", "x"}, {"runs"}, {"control", "x"}, {"generate", "--top-p", "2"}}) {
    const Finished finished = anneal.run(words);
    EXPECT_NE(finished.status, 0);
    EXPECT_EQ(finished.out, "");
    EXPECT_EQ(std::count(finished.err.begin(), finished.err.end(), '\n'), 1) << finished.err;
  }
  EXPECT_EQ(anneal.run({"trian"}).status, 2);
  EXPECT_EQ(anneal.run({"train", "--modle", "x"}).status, 2);
}
TEST_F(BadInput, ContradictoryFlagsAreStatusTwo) {
  const std::string chat = folder.write("chat.json", R"([{"role":"user","content":"Hello"}])");
  const std::string model = path("model");
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"generate", "--model", model, "--prompt", "a", "--messages", chat},
           {"generate", "--model", model},
           {"tokenize", "--model", model, "--text", "a", "--file", chat},
           {"tokenize", "--model", model},
           {"render", "--model", model, "--template", chat},
           {"render", "--messages", chat},
           {"bench", "--op", "nothing"},
           {"data", "preview", "--data", path("rows.jsonl"), "--model", model, "--row", "0"}}) {
    const Finished finished = anneal.run(words);
    EXPECT_EQ(finished.status, 2) << words[0] << ": " << finished.err;
    EXPECT_EQ(finished.out, "");
    EXPECT_EQ(std::count(finished.err.begin(), finished.err.end(), '\n'), 1) << finished.err;
  }
}
TEST_F(BadInput, AChatWithoutAMessage) {
  expect_refused({"generate", "--model", path("model"), "--messages", folder.write("none.json", "[]")},
                 {"none.json", "at least one message"});
}
TEST_F(BadInput, ADeviceThatIsNotThere) {
  for (const std::string device : {"cuda", "tpu"}) {
    std::vector<std::string> words = train_on(path("rows.jsonl"));
    words.insert(words.end(), {"--device", device});
    expect_refused(words, {"device", device});
    expect_refused({"generate", "--model", path("model"), "--prompt", "a", "--device", device}, {"device", device});
  }
}

}  // namespace
}  // namespace anneal::tests
