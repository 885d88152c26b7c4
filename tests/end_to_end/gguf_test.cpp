// A model in a GGUF file, from training to its export.

#include <gtest/gtest.h>

#include "engine/architecture/new_model.h"
#include "kernels/core/sha256.h"
#include "tests/end_to_end/anneal_process.h"
#include "tests/engine/architecture/gguf_model_bytes.h"

namespace anneal::tests {
namespace {

class GgufEndToEnd : public testing::Test {
 protected:
  GgufEndToEnd() {
    const std::string hf = path("hf");
    engine::write_new_model(hf, {});
    const engine::ModelDescription folder = engine::read_model_folder(hf);
    GgufBytes file = gguf_keys(folder.architecture, "llama");
    add_tensors(file, folder, true);
    gguf_ = folder_.write("model.gguf", file.bytes());
    folder_.write("rows.jsonl", "{\"input_ids\":[1,5,6,7,8,9,2]}\n{\"input_ids\":[1,9,8,7,6,5,2]}\n");
  }
  std::string path(const char* name) const { return (folder_.path() / name).string(); }
  Finished train(const std::string& model, const char* out, const char* method) {
    return anneal_.run({"train", "--model", model, "--data", path("rows.jsonl"), "--out", path(out), "--method", method,
                        "--max-steps", "4", "--seed", "3", "--json"});
  }
  std::string logits(const std::string& model) {
    const Finished done = anneal_.run({"logits", "--model", model, "--ids", "1,5,6,7", "--all", "--json"});
    return done.status == 0 ? done.out : done.err;
  }

  TemporaryFolder folder_;
  AnnealProcess anneal_{folder_};
  std::string gguf_;
};

TEST_F(GgufEndToEnd, TrainsExactlyAsItsFolderDoesAndTheFileStaysAsItIs) {
  const std::string before = sha256_of_file(gguf_);
  EXPECT_EQ(logits(gguf_), logits(path("hf")));
  for (const char* method : {"lora", "full"}) {
    const std::string of_file = std::string("file-") + method;
    const std::string of_folder = std::string("folder-") + method;
    ASSERT_EQ(train(gguf_, of_file.c_str(), method).status, 0);
    ASSERT_EQ(train(path("hf"), of_folder.c_str(), method).status, 0);
    EXPECT_EQ(logits(path(of_file.c_str())), logits(path(of_folder.c_str()))) << method;
  }
  EXPECT_EQ(sha256_of_file(gguf_), before);
}

TEST_F(GgufEndToEnd, TheExportIsAWholeFolder) {
  ASSERT_EQ(train(gguf_, "run", "lora").status, 0);
  const Finished done =
      anneal_.run({"export", "--run", path("run"), "--format", "merged", "--out", path("merged"), "--json"});
  ASSERT_EQ(done.status, 0) << done.err;
  EXPECT_EQ(done.events().back()["verified"]["pass"], true);
  EXPECT_EQ(anneal_.run({"model", "inspect", path("merged")}).status, 0);
}

TEST_F(GgufEndToEnd, ARunWhoseFileIsGoneOrAnotherIsRefused) {
  ASSERT_EQ(train(gguf_, "run", "lora").status, 0);
  const std::string bytes = [&] {
    std::ifstream stream(gguf_, std::ios::binary);
    return std::string((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  }();
  std::string other = bytes;
  other[other.size() - 3] = static_cast<char>(other[other.size() - 3] ^ 1);
  folder_.write("model.gguf", other);
  Finished done = anneal_.run({"logits", "--model", path("run"), "--ids", "1,2"});
  EXPECT_EQ(done.status, 1);
  EXPECT_NE(done.err.find("holds other weights"), std::string::npos) << done.err;
  std::filesystem::remove(gguf_);
  done = anneal_.run({"logits", "--model", path("run"), "--ids", "1,2"});
  EXPECT_EQ(done.status, 1);
  EXPECT_NE(done.err.find("does not exist"), std::string::npos) << done.err;
}

}  // namespace
}  // namespace anneal::tests
