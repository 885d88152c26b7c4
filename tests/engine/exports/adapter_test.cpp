#include <gmock/gmock.h>

#include "engine/files/safetensors.h"
#include "tests/engine/exports/trained_run.h"

namespace anneal::engine {
namespace {

using ::testing::HasSubstr;

class AdapterExport : public TrainedRun {};

TEST_F(AdapterExport, HoldsTheAdaptersAloneUnderPeftsNames) {
  Recipe wanted = recipe("run");
  wanted.lora.target_modules = {"q_proj", "v_proj"};
  train(wanted);
  const ExportResult result = export_as(kAdapterExport, "run", "adapter");
  EXPECT_TRUE(result.verified.pass);
  EXPECT_EQ(result.verified.max_logit_difference, 0);
  EXPECT_EQ(result.files.size(), 2u);

  const SafetensorsFile file = SafetensorsFile::open(out("adapter") + "/adapter_model.safetensors");
  std::vector<std::string> names;
  for (const auto& entry : file.entries()) names.push_back(entry.name);
  std::sort(names.begin(), names.end());
  std::vector<std::string> expected;
  for (const char* layer : {"0", "1"}) {
    for (const char* module : {"q_proj", "v_proj"}) {
      for (const char* half : {"A", "B"}) {
        expected.push_back(
            fmt::format("base_model.model.model.layers.{}.self_attn.{}.lora_{}.weight", layer, module, half));
      }
    }
  }
  EXPECT_EQ(names, expected);

  const Json config = read_small_json(out("adapter") + "/adapter_config.json");
  EXPECT_EQ(config.at("r"), 2);
  EXPECT_EQ(config.at("lora_alpha"), 32);
  EXPECT_EQ(config.at("target_modules"), (Json{"q_proj", "v_proj"}));
  EXPECT_EQ(config.at("base_model_name_or_path"), std::filesystem::canonical(model()).string());
}

TEST_F(AdapterExport, OfAFullRunIsRefusedAndLeavesNothing) {
  Recipe full = recipe("run");
  full.method.method = Method::kFull;
  full.schedule.max_steps = 2;
  train(full);
  try {
    export_as(kAdapterExport, "run", "adapter");
    FAIL() << "it was exported";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("--format merged"));
  }
  EXPECT_FALSE(std::filesystem::exists(out("adapter")));
}

TEST_F(AdapterExport, AFolderThatHoldsSomethingIsLeftAlone) {
  Recipe short_run = recipe("run");
  short_run.schedule.max_steps = 2;
  train(short_run);
  folder_.write("adapter/mine.txt", "mine");
  EXPECT_THROW(export_as(kAdapterExport, "run", "adapter"), Error);
  EXPECT_EQ(content(out("adapter") + "/mine.txt"), "mine");
}

}  // namespace
}  // namespace anneal::engine
