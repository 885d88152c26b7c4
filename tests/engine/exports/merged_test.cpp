#include <gmock/gmock.h>
#include <sys/stat.h>

#include "engine/files/safetensors.h"
#include "tests/engine/exports/trained_run.h"

namespace anneal::engine {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

class MergedExport : public TrainedRun {};

TEST_F(MergedExport, TakesTheBasesFilesAlongByteForByte) {
  folder_.write("model/LICENSE", "do what you like");
  Recipe short_run = recipe("run");
  short_run.schedule.max_steps = 3;
  train(short_run);
  const ExportResult result = export_as(kMergedExport, "run", "merged");
  EXPECT_TRUE(result.verified.pass);
  for (const char* name : {"tokenizer.json", "tokenizer_config.json", "config.json", "LICENSE"}) {
    EXPECT_EQ(content(std::filesystem::path(out("merged")) / name), content(std::filesystem::path(model()) / name))
        << name;
  }
  EXPECT_EQ(open_model({.model = out("merged")}).description.architecture.vocab_size,
            open_model({.model = model()}).description.architecture.vocab_size);
}

TEST_F(MergedExport, CaseF04TiedEmbeddingsAreWrittenOnce) {
  Recipe short_run = recipe("run");
  short_run.schedule.max_steps = 2;
  train(short_run);
  export_as(kMergedExport, "run", "merged");
  const SafetensorsFile file = SafetensorsFile::open(out("merged") + "/model.safetensors");
  EXPECT_NE(file.find("model.embed_tokens.weight"), nullptr);
  EXPECT_EQ(file.find("lm_head.weight"), nullptr);
}

TEST_F(MergedExport, CaseB12ATemplateThatWasChosenIsWrittenInBothPlaces) {
  Recipe with_template = recipe("run");
  with_template.data.chat_template = "chatml";
  with_template.schedule.max_steps = 2;
  train(with_template);
  export_as(kMergedExport, "run", "merged");
  const std::string text = content(out("merged") + "/chat_template.jinja");
  EXPECT_THAT(text, HasSubstr("<|im_start|>"));
  EXPECT_EQ(read_small_json(out("merged") + "/tokenizer_config.json").at("chat_template"), text);
}

TEST_F(MergedExport, CaseB12TheBasesOwnTemplateIsWrittenInBothPlaces) {
  const std::string own = "{% for message in messages %}<{{ message.role }}>{{ message.content }}</s>{% endfor %}";
  const std::filesystem::path config = std::filesystem::path(model()) / "tokenizer_config.json";
  std::filesystem::remove(std::filesystem::path(model()) / "chat_template.jinja");
  Json tokenizer = read_small_json(config.string());
  tokenizer["chat_template"] = own;
  folder_.write("model/tokenizer_config.json", tokenizer.dump());
  Recipe plain = recipe("run");
  plain.schedule.max_steps = 1;
  train(plain);
  export_as(kMergedExport, "run", "merged");
  EXPECT_EQ(content(out("merged") + "/chat_template.jinja"), own);
  EXPECT_EQ(read_small_json(out("merged") + "/tokenizer_config.json").at("chat_template"), own);
}

TEST_F(MergedExport, AllFilesHaveThePermissionsOfNewFiles) {
  std::filesystem::permissions(std::filesystem::path(model()) / "config.json", std::filesystem::perms::owner_read);
  Recipe plain = recipe("run");
  plain.schedule.max_steps = 1;
  train(plain);
  const mode_t before = umask(0027);
  export_as(kMergedExport, "run", "merged");
  umask(before);
  for (const auto& entry : std::filesystem::directory_iterator(out("merged")))
    EXPECT_EQ(static_cast<unsigned>(entry.status().permissions()), 0640u) << entry.path();
}

TEST_F(MergedExport, CaseF01AChangeThatRoundingSwallowsIsSaid) {
  Recipe timid = recipe("run");
  timid.optimizer.learning_rate = 1e-7;  // far below what BF16 can tell apart beside weights of 0.02
  timid.schedule.max_steps = 2;
  train(timid);
  const ExportResult narrow = export_as(kMergedExport, "run", "narrow", DType::kBF16);
  ASSERT_EQ(narrow.notices.size(), 1u);
  EXPECT_THAT(narrow.notices[0], HasSubstr("lost"));
  EXPECT_THAT(export_as(kMergedExport, "run", "wide", DType::kF32).notices, IsEmpty());
  EXPECT_EQ(read_small_json(out("narrow") + "/config.json").at("torch_dtype"), "bfloat16");
}

TEST_F(MergedExport, OfAFullRunHoldsTheTrainedWeights) {
  Recipe full = recipe("run");
  full.method.method = Method::kFull;
  full.schedule.max_steps = 3;
  train(full);
  const ExportResult result = export_as(kMergedExport, "run", "merged");
  EXPECT_TRUE(result.verified.pass);
  EXPECT_EQ(result.verified.same_top1, result.verified.positions);
}

}  // namespace
}  // namespace anneal::engine
